"""The game document: one JSON value that says everything an engine needs.

Defaults are filled in, kinds and component rows stand side by side, expressions are typed trees,
every clause has its rule and its place. Members of the top level:

``format``        1
``game title edition players players_rule components``
``kinds``         per kind: ``members``, ``columns`` (type and one value per member)
``constants options rulings state functions effects setup start steps moves end invariants
bounds``          the meaning
``text``          prose: rules, rulings, display; for readers and reports
``rules_digest``  over the meaning without places, spans and words
``text_digest``   over ``text``
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ludex.authoring.blocks import Blocks
from ludex.authoring.clauses import Json, Rules, named
from ludex.authoring.components import read_kinds, read_type
from ludex.authoring.folder import GameFolder, find_game, read_folder
from ludex.authoring.prose import read_prose
from ludex.authoring.source import Cursor
from ludex.engine.codec import Codec
from ludex.errors import SpecError, SpecErrors, closest
from ludex.language.checker import Names
from ludex.language.operators import MACROS, OVERLOADS
from ludex.language.types import BOOL, INT, PLAYER, Type, list_of
from ludex.protocol.canonical import digest

__all__ = ["FORMAT", "build_document", "load_document", "meaning"]

FORMAT = 1
#: Names that the language has a use for.
_ARGUMENTS = ("int", "bool", "player", "kind", "any")
_TAKEN = ("players", "n_players", "rulings", "options", "actor", "player")
#: Keys that say where or in what words, not what: the rules digest leaves them out.
_WORDS = frozenset({"place", "expr", "span", "note", "title", "otherwise"})


def load_document(game: str | Path, components: str | Path = "standard") -> Json:
    """Read a game and return its document.

    Parameters
    ----------
    game : str or Path
        A built-in game or a folder.
    components : str or Path
        Name of a component set, or the path of a file.

    Raises
    ------
    UsageError, SpecErrors
    """
    return build_document(read_folder(find_game(game), components))


def build_document(folder: GameFolder) -> Json:
    """Resolve and type everything in a game folder.

    Raises
    ------
    SpecErrors
        All that is wrong, sorted by place.
    """
    errors: list[SpecError] = []
    document = _Builder(folder, errors).build()
    if errors:
        raise SpecErrors(_distinct(errors))
    return document


def meaning(value: Any) -> Any:
    """Return a document, or a part of it, without places and words."""
    if isinstance(value, dict):
        return {k: meaning(v) for k, v in value.items() if k not in _WORDS}
    if isinstance(value, list):
        return [meaning(v) for v in value]
    return value


def _distinct(errors: list[SpecError]) -> list[SpecError]:
    seen: dict[tuple[str, str], SpecError] = {}
    for error in errors:
        seen.setdefault((str(error.place), error.message), error)
    return list(seen.values())


def _leaves(block: list[Json]) -> bool:
    """Return whether a block always ends in goto."""
    last = block[-1]
    if last["statement"] == "if":
        return "when" not in last and all(b and _leaves(b) for b in (last["then"], last["else"]))
    return last["statement"] == "goto" and "when" not in last


class _Builder:
    def __init__(self, folder: GameFolder, errors: list[SpecError]) -> None:
        self.game = folder.files["game.yaml"]
        self.folder = folder
        self.errors = errors

    def build(self) -> Json:
        game, errors = self.game, self.errors
        text, rules, rulings = read_prose(self.folder, errors)
        members, columns, values = read_kinds(
            game["types"], self.folder.files["components"], errors
        )
        names = Names(
            kinds=members,
            columns=columns,
            rulings={k: v["values"] for k, v in rulings.items()},
            players=game.value["players"]["min"],
        )
        if errors:
            # names that are missing would be reported again wherever they are used
            return {}
        names.state = self.state_types(names)
        names.constants = self.types_of("constants", names, "type")
        for name, at in self.section("constants").items():
            if name in names.state or name in _TAKEN:
                self.hides(at, name)
        for name, at in self.section("functions").items():
            if name in OVERLOADS or name in MACROS:
                self.hides(at, name)
        names.functions = {
            name: (self.params(at, names), self.type(at["type"], names))
            for name, at in self.section("functions").items()
        }
        effects = {n: self.params(at, names) for n, at in self.section("effects").items()}
        if errors:
            # what is declared wrongly would be reported again wherever it is used
            return {}
        steps = game["flow"]["steps"].value
        self.clauses = Blocks(names, effects, steps, rules, errors)
        kind_rules = {k: self.clauses.rule(at) for k, at in game["types"].items()}
        document: Json = {
            "format": FORMAT,
            "game": game.value["game"],
            "title": game.value["title"],
            "edition": game.value["edition"],
            "players": self.players(),
            "players_rule": self.clauses.rule(game["players"])[0],
            "components": self.components(),
            "kinds": {
                kind: {
                    **named(kind_rules[kind]),
                    "members": ids,
                    "columns": {
                        column: {"type": str(type_), "values": values[kind][column]}
                        for column, type_ in columns.get(kind, {}).items()
                    },
                }
                for kind, ids in members.items()
            },
            "rulings": rulings,
            "options": {},
            "constants": self.constants(names),
            "state": self.state(names),
            "functions": self.functions(names),
            "effects": self.effects(effects),
            "setup": self.block("setup", game["setup"]),
            "start": self.step_name(game["flow"]["start"]),
            "steps": self.steps(),
            "moves": self.moves(),
            "end": self.end(),
            "invariants": self.invariants(),
            "bounds": self.bounds(),
        }
        self.check_effects()
        self.check_coverage(rules)
        self.check_values(document, names)
        text["clauses"] = self.clauses.named
        document["rules_digest"] = digest(meaning(document))
        document["text"] = text
        document["text_digest"] = digest(text)
        return document

    # -- declarations ------------------------------------------------------------------------

    def section(self, key: str) -> dict[str, Cursor]:
        at = self.game.get(key)
        return dict(at.items()) if at is not None else {}

    def type(self, at: Cursor, names: Names) -> Type:
        try:
            return read_type(at, names.kinds, names.records)
        except SpecError as error:
            self.errors.append(error)
            return Type("any")

    def types_of(self, section: str, names: Names, key: str) -> dict[str, Type]:
        return {name: self.type(at[key], names) for name, at in self.section(section).items()}

    def params(self, at: Cursor, names: Names) -> dict[str, Type]:
        given = at.get("params")
        if given is None:
            return {}
        for name, param in given.items():
            if name in names.words():
                self.hides(param, name)
        return {k: self.type(v, names) for k, v in given.items()}

    def hides(self, at: Cursor, name: str) -> None:
        self.errors.append(
            at.error(f"{name!r} hides another name", "hides", "choose another name",
                     at=at.key_place)
        )

    def state_types(self, names: Names) -> dict[str, Type]:
        types = {}
        for name, at in self.section("state").items():
            found = self.type(at["type"], names)
            if "per" in at:
                key = self.type(at["per"], names)
                if key.head not in ("player", "kind", "any"):
                    self.errors.append(
                        at["per"].error(f"expected player or a kind, found {key}", "type")
                    )
                found = Type("map", (key, found))
            types[name] = found
            if name in _TAKEN:
                self.hides(at, name)
        return types

    def players(self) -> list[int]:
        at = self.game["players"]
        low, high = at.value["min"], at.value["max"]
        if low > high:
            self.errors.append(at.error(f"min {low} is above max {high}", "players"))
        return list(range(low, high + 1))

    def components(self) -> Json:
        at = self.folder.files["components"]
        return {"set": at.value["set"], "digest": digest(at.value)}

    def constants(self, names: Names) -> list[Json]:
        return [
            {"name": name, "type": str(names.constants[name]), "value": at.value["value"]}
            for name, at in self.section("constants").items()
        ]

    def state(self, names: Names) -> list[Json]:
        result = []
        for name, at in self.section("state").items():
            type_ = names.state[name]
            result.append(
                {
                    "name": name,
                    "type": str(type_),
                    "visible_to": self.visibility(at["visible_to"], names, type_),
                    "count_visible_to": (
                        self.visibility(at["count_visible_to"], names, type_)
                        if "count_visible_to" in at
                        else "everyone"
                    ),
                    "table": at.value.get("table", True),
                    "init": at.value.get("init"),
                    "note": at.value.get("note"),
                    **named(self.clauses.rule(at)),
                    "place": str(at.place),
                }
            )
        return result

    def visibility(self, at: Cursor, names: Names, type_: Type) -> Any:
        cases = at["cases"] if isinstance(at.value, dict) else None
        if cases is not None:
            ruling = at.value["ruling"]
            if ruling not in names.rulings:
                self.errors.append(
                    at["ruling"].error(f"unknown ruling {ruling!r}", "unknown-ruling",
                                       closest(ruling, names.rulings))
                )
            elif set(cases.value) != set(names.rulings[ruling]):
                self.errors.append(
                    cases.error(
                        f"expected a case for each of {', '.join(names.rulings[ruling])}, "
                        f"found {', '.join(cases.value)}",
                        "cases",
                    )
                )
        words = list(cases.value.values()) if cases is not None else [at.value]
        if "owner" in words and not (type_.head == "map" and type_.args[0] == PLAYER):
            self.errors.append(
                at.error("only a per-player variable has an owner", "owner",
                         "add per: player, or say everyone or nobody")
            )
        return at.value

    # -- clauses -----------------------------------------------------------------------------

    def block(
        self,
        where: str,
        at: Cursor,
        rule: Rules = (),
        local: Mapping[str, Type] | None = None,
        *,
        jumps: bool = False,
    ) -> list[Json]:
        self.clauses.where = where
        return self.clauses.block(at, self.clauses.scope(local), rule, jumps=jumps)

    def functions(self, names: Names) -> list[Json]:
        result: list[Json] = []
        for name, at in self.section("functions").items():
            params, type_ = names.functions[name]
            # a function sees only those above it, so that none can call itself
            seen = {n: names.functions[n] for n in (r["name"] for r in result)}
            below = [n for n in names.functions if n not in seen]
            inner = replace(names, functions=seen, below=below)
            scope = self.clauses.scope(params)
            scope.names = inner
            result.append(
                {
                    "name": name,
                    "params": [{"name": p, "type": str(t)} for p, t in params.items()],
                    "type": str(type_),
                    "is": self.clauses.expression(at["is"], scope, type_),
                    "place": str(at.place),
                }
            )
        return result

    def effects(self, effects: dict[str, dict[str, Type]]) -> list[Json]:
        result = []
        for name, at in self.section("effects").items():
            rule = self.clauses.rule(at)
            result.append(
                {
                    "name": name,
                    "params": [{"name": p, "type": str(t)} for p, t in effects[name].items()],
                    **named(rule),
                    "do": self.block(f"effects.{name}", at["do"], rule, effects[name]),
                    "place": str(at.place),
                }
            )
        return result

    def step_name(self, at: Cursor) -> str:
        steps = self.game["flow"]["steps"].value
        if at.value not in steps:
            self.errors.append(
                at.error(f"unknown step {at.value!r}", "unknown-step", closest(at.value, steps))
            )
        return str(at.value)

    def steps(self) -> list[Json]:
        result = []
        for name, at in self.game["flow"]["steps"].items():
            rule = self.clauses.rule(at)
            step: Json = {"name": name, **named(rule), "place": str(at.place)}
            if "do" in at:
                step["do"] = self.block(f"steps.{name}", at["do"], rule, jumps=True)
                if not _leaves(step["do"]):
                    self.errors.append(
                        at["do"].error("an automatic step ends in goto, found none",
                                       "missing-goto", "add `- goto: STEP` as the last statement",
                                       at=at["do"].key_place)
                    )
            else:
                step["actors"] = self.clauses.expression(
                    at["actors"], self.clauses.scope(), list_of(PLAYER)
                )
                step["moves"] = at.value["moves"]
                for move in at["moves"].elements():
                    if move.value not in self.game["moves"]:
                        self.errors.append(
                            move.error(f"unknown move {move.value!r}", "unknown-move",
                                       closest(move.value, self.game["moves"].value))
                        )
                step["none"] = self.step_name(at["none"]) if "none" in at else None
            result.append(step)
        return result

    def moves(self) -> list[Json]:
        result = []
        for name, at in self.game["moves"].items():
            rule = self.clauses.rule(at)
            scope = self.clauses.scope({"actor": PLAYER})
            params = []
            for param, p in at["params"].items() if "params" in at else ():
                domain = self.clauses.expression(p["in"], scope)
                found = self.clauses.type_of(domain)
                inner = found.args[0] if found is not None and found.args else None
                if found is not None and found.head not in ("list", "bag", "stack"):
                    self.errors.append(p["in"].error(f"expected a list, found {found}", "type"))
                elif inner is not None and inner.head not in _ARGUMENTS:
                    self.errors.append(
                        p["in"].error(f"an argument is a number, a truth value, a player or a "
                                      f"member of a kind, found {inner}", "type")
                    )
                params.append(
                    {
                        "name": param,
                        "type": str(inner),
                        "in": domain,
                        **named(self.clauses.rule(p)),
                        "place": str(p.place),
                    }
                )
                if param in self.clauses.names.words() or param == "actor":
                    self.hides(p, param)
                scope.locals[param] = inner or Type("any")
            requires = [
                {
                    **named(self.clauses.rule(r)),
                    "that": self.clauses.expression(r["that"], scope, BOOL),
                    "otherwise": r.value["otherwise"],
                    "place": str(r.place),
                }
                for r in (at["requires"].elements() if "requires" in at else ())
            ]
            result.append(
                {
                    "name": name,
                    "title": at.value["title"],
                    **named(rule),
                    "params": params,
                    "requires": requires,
                    "do": self.block(f"moves.{name}", at["do"], rule, scope.locals, jumps=True),
                    "place": str(at.place),
                }
            )
        return result

    def end(self) -> list[Json]:
        scope = self.clauses.scope()
        result = []
        for at in self.game["end"].elements():
            clause: Json = {
                "when": self.clauses.expression(at["when"], scope, BOOL),
                "winners": self.clauses.expression(at["winners"], scope, list_of(PLAYER)),
                **named(self.clauses.rule(at)),
                "place": str(at.place),
            }
            for part in ("winners", "returns"):
                own = self.clauses.rule(at, (clause["rule"],), f"{part}_rule")
                clause[f"{part}_rule"] = own[0]
                clause[f"{part}_also"] = list(own[1:])
            if "returns" in at:
                clause["returns"] = self.clauses.expression(
                    at["returns"], scope.inner({"player": PLAYER}), INT
                )
            result.append(clause)
        return result

    def invariants(self) -> list[Json]:
        at = self.game.get("invariants")
        return [
            {
                "that": self.clauses.expression(i["that"], self.clauses.scope(), BOOL),
                "note": i.value["note"],
                **named(self.clauses.rule(i)),
                "place": str(i.place),
            }
            for i in (at.elements() if at is not None else ())
        ]

    def bounds(self) -> Json:
        at = self.game.get("bounds")
        if at is None or "plies" not in at:
            return {}
        return {"plies": self.clauses.expression(at["plies"], self.clauses.scope(), INT)}

    # -- checks over the whole ---------------------------------------------------------------

    def check_effects(self) -> None:
        """Effects form an acyclic graph."""
        calls = {
            k[len("effects.") :]: v
            for k, v in self.clauses.calls.items()
            if k.startswith("effects.")
        }
        done: set[str] = set()

        def visit(name: str, above: tuple[str, ...]) -> None:
            if name in above:
                at = self.game["effects"][name]
                chain = " -> ".join([*above[above.index(name) :], name])
                self.errors.append(
                    at.error(f"effects call each other in a circle: {chain}", "effect-cycle",
                             at=at.key_place)
                )
                return
            if name in done:
                return
            for callee in sorted(calls.get(name, ())):
                visit(callee, (*above, name))
            done.add(name)

        for name in calls:
            visit(name, ())

    def check_values(self, document: Json, names: Names) -> None:
        """Constants and initial values are values of their types, however many play."""
        if self.errors:
            return
        for players in sorted({document["players"][0], document["players"][-1]}):
            codec = Codec(document, players)
            for name, at in self.section("constants").items():
                try:
                    codec.encode(at.value["value"], names.constants[name], name)
                except SpecError as error:
                    self.errors.append(at["value"].error(error.message, "value"))
            for name, at in self.section("state").items():
                try:
                    codec.zero(names.state[name], at.value.get("init"), name)
                except SpecError as error:
                    self.errors.append(at["init"].error(error.message, "value"))

    def check_coverage(self, rules: dict[str, Cursor]) -> None:
        """Every formal rule is named by a clause."""
        for name, at in rules.items():
            if at.value["status"] == "formal" and name not in self.clauses.named:
                self.errors.append(
                    at.error(
                        f"rule {name} is formal, but no clause names it",
                        "rule-without-clause",
                        "name it in game.yaml, or make it informal and say why",
                    )
                )
