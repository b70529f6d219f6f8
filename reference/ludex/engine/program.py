"""A game document compiled for one number of players and one reading of its rulings.

The position is a list: index of the step (-1 when the game is over), the outcome, then the
variables in their declared order. Functions of a program take positions; they check nothing that
the caller can check once (see :mod:`ludex.engine.game`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from ludex.engine.budget import meter
from ludex.engine.codec import Codec
from ludex.engine.copies import copied, frozen
from ludex.engine.cost import MAX_AUTOMATIC, Costs
from ludex.engine.derived import Table
from ludex.engine.expressions import ExpressionCompiler
from ludex.engine.facts import columns
from ludex.engine.flow import jumps_once, reads, resolved, writes
from ludex.engine.listing import Listing
from ludex.engine.quantifiers import PREFIX
from ludex.engine.runtime import FAULTS, NAMES, RuleFault, WorkFault
from ludex.engine.statements import StatementCompiler
from ludex.engine.templates import (
    constant,
    expression,
    function,
    lined,
    name,
    placed,
    statements,
)
from ludex.engine.zones import Clause
from ludex.language.types import Type

__all__ = ["FIRST_VARIABLE", "Action", "Position", "Program"]

Json = Mapping[str, Any]
Position = list[Any]
#: Actor, index of the move, arguments in declared order; players and members are integers.
Action = tuple[Any, ...]

STEP, OUTCOME, FIRST_VARIABLE = 0, 1, 2
#: A trail keeps so many positions.
MAX_POSITIONS = 10_000


class Program(Listing):
    """Compiled rules.

    Parameters
    ----------
    document : dict
        The game document.
    players : int
        How many play.
    rulings, options : mapping
        Chosen values, by name; complete.
    traced : bool
        Whether the program notes the clauses that run (slower).

    Attributes
    ----------
    setup : callable
        ``(position, chance)``: fills a blank position and runs to the first decision.
    settle : callable
        ``(position, chance)``: runs automatic steps, and ends the game when it is over.
    judge : callable
        ``(position)``: ends the game when it is over.
    legal : list of callable
        By step: ``(position) -> list of Action``; the last entry is for the end of the game.
    actors : list of callable
        By step: ``(position) -> list of int``.
    apply : list of callable
        By move: ``(position, chance, actor, *args)``.
    broken : list of callable
        By move: ``(position, actor, *args) -> list of int``: indexes of requirements that the
        action breaks, or ``[-1 - i]`` if parameter i is not possible.
    copy, key : callable
        A copy that shares nothing; a hashable value equal for equal positions.
    costs : Costs
        How much work expressions and blocks are, at most.
    clauses : list of Clause
        The statements that change positions; `trail` holds indexes into it.
    trail : list of (int, Position)
        In a traced program, the clauses that ran, each with the position before it; the caller
        clears it.
    """

    def __init__(
        self,
        document: Json,
        players: int,
        rulings: Mapping[str, str],
        options: Mapping[str, Any],
        *,
        traced: bool = False,
    ) -> None:
        self.document = document
        self.codec = codec = Codec(document, players)
        self.types: dict[str, Type] = {v["name"]: codec.type(v["type"]) for v in document["state"]}
        self.slots = {v: i + FIRST_VARIABLE for i, v in enumerate(self.types)}
        self.steps = [s["name"] for s in document["steps"]]
        self.moves = [m["name"] for m in document["moves"]]
        #: chosen rulings and options, encoded
        self.settings: dict[str, dict[str, Any]] = {
            "ruling": {k: codec.index[f"rulings.{k}"][v] for k, v in rulings.items()},
            "option": dict(options),
        }
        self._meter = meter()
        self.costs = Costs(document, codec, options)
        self._counted = self.costs.counted
        self._expressions = ExpressionCompiler(
            document, codec, self.slots, self.settings, self._counted
        )
        self._statements = StatementCompiler(
            self._expressions,
            codec,
            self.steps,
            {v["name"]: resolved(v["visible_to"], rulings) for v in document["state"]},
            traced,
        )
        self._body: list[ast.stmt] = []
        self._functions: dict[str, Any] = {}
        self._define()
        self.clauses: list[Clause] = self._statements.clauses
        self.trail: list[tuple[int, Position]] = []
        self._blank: Position = [
            0,
            None,
            *(codec.zero(self.types[v["name"]], v["init"]) for v in document["state"]),
        ]
        space = self.namespace()
        module = ast.Module(self._body, [])
        self._file = f"<{document['game']}>"
        self._places = lined(module)
        exec(compile(module, self._file, "exec"), space)
        self._collect(space)

    # -- definitions -------------------------------------------------------------------------

    def _function(
        self, identifier: str, params: list[str], body: list[ast.stmt], place: str
    ) -> None:
        made = function(identifier, params, body)
        placed([made], place)
        self._body.append(made)

    def _root(self, identifier: str, params: list[str], body: list[ast.stmt], place: str) -> None:
        """Define a function that is called from outside: it has a budget of its own."""
        begin = statements("reset()") if self._counted else []
        self._function(identifier, params, [*begin, *body], place)

    def _define(self) -> None:
        document, compiler = self.document, self._expressions
        block = self._statements.block
        for f in document["functions"]:
            params = ["S", *(f"v_{p['name']}" for p in f["params"])]
            self._function(f"f_{f['name']}", params, [ast.Return(compiler.compile(f["is"]))],
                           f["is"]["place"])
        for e in document["effects"]:
            params = ["S", "C", *(f"v_{p['name']}" for p in e["params"])]
            self._statements.again = True
            self._function(f"e_{e['name']}", params, block(e["do"], f"effects.{e['name']}.do"),
                           e["place"])
            self._statements.again = False
        for index, step in enumerate(document["steps"]):
            if "do" in step:
                self._function(f"auto_{index}", ["S", "C"],
                               block(step["do"], f"steps.{step['name']}.do"), step["place"])
            else:
                self._decision(index, step)
        for index, move in enumerate(document["moves"]):
            params = [f"v_{p['name']}" for p in move["params"]]
            self._root(f"play_{index}", ["S", "C", "a"], self._play(move, params), move["place"])
            self._root(f"broken_{index}", ["S", "v_actor", *params], self._broken(move),
                       move["place"])
            for number, param in enumerate(move["params"]):
                if isinstance(param["visible_to"], Mapping):
                    self._root(f"viewer_{index}_{number}", ["S", "v_actor", *params],
                               [ast.Return(compiler.compile(param["visible_to"]))],
                               param["place"])
        self._settle()
        start = statements("S[0] = _i", _i=constant(self.steps.index(document["start"])))
        self._root("setup", ["S", "C"],
                   [*start, *block(document["setup"], "setup"), *statements("settle(S, C)")], "")
        for index, invariant in enumerate(document["invariants"]):
            self._root(f"invariant_{index}", ["S"],
                       [ast.Return(compiler.compile(invariant["that"]))], invariant["place"])
        bound = document["bounds"].get("plies")
        self._function("plies", ["S"],
                       [ast.Return(compiler.compile(bound) if bound else constant(None))], "")
        self._copies()
        self._body += self._expressions.searches.definitions
        self._expressions.searches.closed = True

    def _play(self, move: Json, params: list[str]) -> list[ast.stmt]:
        """Compile a move and what follows by itself: it enters a step, or stays in its own."""
        parts = [ast.Name(n, ast.Store()) for n in ("v_actor", "_", *params)]
        unpack = ast.Assign([ast.Tuple(list(parts), ast.Store())], name("a"))
        self._statements.chained = True
        body = self._statements.block(move["do"], f"moves.{move['name']}.do")
        self._statements.chained = False
        here = [s for s in self.document["steps"] if move["name"] in s.get("moves", ())]
        stays = here and all(s["none"] is None for s in here)
        # a move without goto stays in its step, where nothing follows by itself
        after = self._ends() if stays else statements("settle(S, C)")
        return [unpack, *body, *after]

    def _settle(self) -> None:
        self._root("judge", ["S"], self._ends(), "")
        body = self._ends()
        if id(self.document["steps"]) in self._counted:
            body += statements("spend()")
        body += statements("step = AUTO[S[0]]\nif step is None or step(S, C):\n return")
        loop = statements("for _ in LIMIT:\n _b", _b=body)
        stop = statements("raise WorkFault('automatic steps do not end', S[0])")
        self._function("settle", ["S", "C"], [*loop, *stop], "")
        for index, step in enumerate(self.document["steps"]):
            self._function(f"enter_{index}", ["S", "C"], self._enter(index), step["place"])

    def _enter(self, index: int) -> list[ast.stmt]:
        """Compile entering a step from a move, and the automatic steps that surely follow.

        It does what `settle` does, without going round its loop: the ending is tested on entering
        each step, unless nothing that it reads has changed since it was last tested.
        """
        document = self.document
        body: list[ast.stmt] = []
        read = reads(document, [end["when"] for end in document["end"]])
        changed = True
        seen: set[int] = set()
        while True:
            step = document["steps"][index]
            body += statements("S[0] = _i", _i=constant(index))
            if changed:
                body += self._ends()
            block = step.get("do")
            if block is None and step["none"] is None:
                return body
            if block is None or index in seen or not jumps_once(block):
                return [*body, *statements("settle(S, C)")]
            seen.add(index)
            body += self._statements.block(block[:-1], f"steps.{step['name']}.do")
            changed = bool(read & writes(document, block))
            index = self.steps.index(block[-1]["step"])

    def _ends(self) -> list[ast.stmt]:
        """Compile the test whether the game is over; the code returns if it is."""
        body: list[ast.stmt] = []
        for index, end in enumerate(self.document["end"]):
            winners = expression("tuple(_w)", _w=self._expressions.compile(end["winners"]))
            returns = constant(None)
            if "returns" in end:
                returns = expression(  # type: ignore[assignment]
                    "tuple([_r for v_player in range(_n)])",
                    _r=self._expressions.compile(end["returns"]),
                    _n=constant(len(self.codec.players)),
                )
            body += placed(statements(
                "if _c:\n S[1] = _o\n S[0] = -1\n return",
                _c=self._expressions.compile(end["when"]),
                _o=ast.Tuple([constant(index), winners, returns], ast.Load()),
            ), end["place"])
        return body

    def _copies(self) -> None:
        head: list[ast.expr] = [expression("S[0]"), expression("S[1]")]
        values = [
            (t, expression("S[_i]", _i=constant(self.slots[v]))) for v, t in self.types.items()
        ]
        stacked = self.codec.stacked
        same = ast.List([*head, *(copied(t, x, stacked) for t, x in values)], ast.Load())
        self._function("copy", ["S"], [ast.Return(same)], "")
        fixed = ast.Tuple([*head, *(frozen(t, x, stacked) for t, x in values)], ast.Load())
        self._function("key", ["S"], [ast.Return(fixed)], "")

    # -- running -----------------------------------------------------------------------------

    def expression(self, tree: Json) -> ast.expr:
        """Compile one more typed tree, to be run in `namespace`."""
        return self._expressions.tree(tree)

    def template(self, operator: str) -> str:
        """Return the Python template of an operator, as this game uses it."""
        return self._expressions.template(operator)

    def namespace(self) -> dict[str, Any]:
        """Return the names that generated code reads; functions of the spec included."""
        space: dict[str, Any] = {"RuleFault": RuleFault, "WorkFault": WorkFault,
                                 "FAULTS": FAULTS, "AUTO": [], **self._meter,
                                 "LIMIT": range(MAX_AUTOMATIC),
                                 "note": self._note, **NAMES,
                                 **columns(self.document, self.codec)}
        for index, site in enumerate(self._statements.sites):
            space[f"site_{index}"] = site
        space.update(self._functions)
        return space

    def _collect(self, space: dict[str, Any]) -> None:
        self._functions.update({k: v for k, v in space.items() if k.startswith("f_")})
        for f in self.document["functions"]:
            if f["name"] in self._expressions.tables:
                table = Table(space[f"f_{f['name']}"], single=len(f["params"]) == 1)
                space[f"T_{f['name']}"] = self._functions[f"T_{f['name']}"] = table
        count = len(self.steps)
        space["AUTO"] = [space.get(f"auto_{i}") for i in range(count)]
        self.setup: Callable[..., None] = space["setup"]
        self.settle: Callable[..., None] = space["settle"]
        self.judge: Callable[[Position], None] = space["judge"]
        self.legal: list[Callable[[Position], list[Action]]] = [
            *(space.get(f"legal_{i}", _nothing) for i in range(count)),
            _nothing,
        ]
        self.actors: list[Callable[..., list[int]] | None] = [
            space.get(f"actors_{i}") for i in range(count)
        ]
        self.apply: list[Callable[..., None]] = [
            space[f"play_{i}"] for i in range(len(self.moves))
        ]
        self.broken: list[Callable[..., list[int]]] = [
            space[f"broken_{i}"] for i in range(len(self.moves))
        ]
        self._viewers = {k: v for k, v in space.items() if k.startswith("viewer_")}
        self.copy: Callable[[Position], Position] = space["copy"]
        self.key: Callable[[Position], tuple[Any, ...]] = space["key"]
        self.invariants: list[Callable[[Position], bool]] = [
            space[f"invariant_{i}"] for i in range(len(self.document["invariants"]))
        ]
        self.plies: int | None = space["plies"]([])

    def viewer(self, move: int, param: int, position: Position, action: Action) -> int:
        """Return the player who sees an argument, besides the actor."""
        found: int = self._viewers[f"viewer_{move}_{param}"](position, action[0], *action[2:])
        return found

    def place_of(self, fault: BaseException) -> str | None:
        """Return the place of the clause in which something went wrong, if that is known."""
        found = None
        trace = fault.__traceback__
        while trace is not None:
            code = trace.tb_frame.f_code
            # equal searches of several clauses are one function
            if code.co_filename == self._file and not code.co_name.startswith(PREFIX):
                found = self._places[trace.tb_lineno - 1]
            trace = trace.tb_next
        return found or None

    def _note(self, clause: int, position: Position) -> None:
        if len(self.trail) < MAX_POSITIONS:
            self.trail.append((clause, self.copy(position)))
        else:
            # in a long loop only the clauses still count
            self.trail.append((clause, self.trail[-1][1]))

    def blank(self) -> Position:
        """Return a position before setup: every variable has its initial value."""
        return self.copy(self._blank)


def _nothing(position: Position) -> list[Action]:
    return []


