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

import json
from pathlib import Path
from typing import Any

from ludex.authoring.behaviour import Behaviour
from ludex.authoring.blocks import Blocks
from ludex.authoring.clauses import Json, named
from ludex.authoring.components import read_kinds
from ludex.authoring.data_checks import check_data, read_data_checks
from ludex.authoring.declarations import TAKEN
from ludex.authoring.display_check import check_display
from ludex.authoring.folder import STANDARD_SET, GameFolder, find_game, read_folder
from ludex.authoring.meaning import meaning
from ludex.authoring.prose import read_prose
from ludex.authoring.reach import check_reach
from ludex.authoring.source import Cursor
from ludex.engine.budget import MAX_CELLS
from ludex.engine.codec import Codec
from ludex.errors import Place, SpecError, SpecErrors
from ludex.language.checker import Names
from ludex.language.operators import MACROS, OVERLOADS
from ludex.language.types import BOOL, INT
from ludex.protocol.canonical import digest

__all__ = ["FORMAT", "build_document", "load_document"]

FORMAT = 1


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
    path = find_game(game)
    try:
        return build_document(read_folder(path, components))
    except RecursionError:
        raise SpecErrors([
            SpecError(f"{path.name} nests too deep to be read", code="engine.depth",
                      place=Place(str(path / "game.yaml")),
                      hint="give parts of it names of their own")
        ]) from None


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


def _in_folder(value: Any, folder: Path) -> None:
    """Make places relative to the game folder: a document is the same wherever that lies."""
    start = str(folder / "game.yaml").removesuffix("game.yaml")
    todo: list[Any] = [value]
    while todo:
        item = todo.pop()
        for key, part in item.items() if isinstance(item, dict) else enumerate(item):
            if isinstance(part, dict | list):
                todo.append(part)
            elif isinstance(part, str) and (key == "place" or isinstance(item, list)):
                item[key] = part.removeprefix(start)


def _distinct(errors: list[SpecError]) -> list[SpecError]:
    seen: dict[tuple[str, str], SpecError] = {}
    for error in errors:
        seen.setdefault((str(error.place), error.message), error)
    return list(seen.values())


class _Builder(Behaviour):
    def build(self) -> Json:
        """Build the document; it is only whole if no error was added."""
        game, errors = self.game, self.errors
        text, rules, rulings = read_prose(self.folder, errors)
        # faulty prose hides no name, so the clauses are read all the same
        prose = len(errors)
        members, columns, values = read_kinds(
            game["types"], self.folder.files["components"], errors
        )
        names = Names(
            kinds=members,
            columns=columns,
            rulings={k: v["values"] for k, v in rulings.items()},
            players=game.value["players"]["min"],
        )
        if len(errors) > prose:
            # names that are missing would be reported again wherever they are used
            return {}
        names.records = self.records(names)
        names.options = {
            name: BOOL if isinstance(at.value["default"], bool) else INT
            for name, at in self.section("options").items()
        }
        names.state = self.state_types(names)
        names.constants = self.types_of("constants", names, "type")
        for name, at in self.section("constants").items():
            if name in names.state or name in TAKEN:
                self.hides(at, name)
        for name, at in self.section("functions").items():
            if name in OVERLOADS or name in MACROS:
                self.hides(at, name)
        names.functions = {
            name: (self.params(at, names), self.type(at["type"], names))
            for name, at in self.section("functions").items()
        }
        effects = {n: self.params(at, names) for n, at in self.section("effects").items()}
        if len(errors) > prose:
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
            "options": self.options(),
            "records": {
                record: [{"name": f, "type": str(t)} for f, t in fields.items()]
                for record, fields in names.records.items()
            },
            "constants": self.constants(names),
            "state": self.state(names),
            "functions": (functions := self.functions(names)),
            "effects": self.effects(effects),
            "setup": self.block("setup", game["setup"]),
            "start": self.step_name(game["flow"]["start"]),
            "steps": self.steps(),
            "moves": self.moves(),
            "end": self.end(),
            "invariants": self.invariants(),
            "symmetries": self.symmetries(names),
            **({"coincidences": self.coincidences()} if "coincidences" in game else {}),
            **(
                {"data_checks": read_data_checks(game["data_checks"], self.clauses, functions)}
                if "data_checks" in game else {}
            ),
            "bounds": self.bounds(functions),
        }
        self.check_effects()
        self.check_coverage(rules)
        self.check_values(document, names)
        if not errors:
            check_data(document.get("data_checks", ()), document,
                       self.folder.files["components"], errors)
            check_reach(document, game, errors)
            self.check_looks(document, names)
        text["clauses"] = self.clauses.named
        # what was read is kept for the next time, and nobody's changes may get there
        document, text = json.loads(json.dumps([document, text]))
        _in_folder([document, text["clauses"]], self.folder.path)
        document["rules_digest"] = digest(meaning(document))
        document["text"] = text
        document["text_digest"] = digest(text)
        return document

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
            cells = {name: codec.cells(type_) for name, type_ in names.state.items()}
            if sum(cells.values()) > MAX_CELLS:
                largest = max(cells, key=lambda name: cells[name])
                self.errors.append(self.game["state"][largest].error(
                    f"expected variables of at most {MAX_CELLS} values together, found more",
                    "too-large", f"{largest} is the largest; make its maps smaller",
                ))
                return
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

    def check_looks(self, document: Json, names: Names) -> None:
        """Check that the display file fits; other component sets may have fewer members."""
        if self.folder.files["components"].value["set"] != STANDARD_SET:
            return
        codec = Codec(document, document["players"][0])
        moves = {
            m["name"]: {p["name"]: codec.type(p["type"]) for p in m["params"]}
            for m in document["moves"]
        }
        check_display(self.folder.files["display.yaml"], names.kinds, names.columns, names.state,
                      moves, self.errors)

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
