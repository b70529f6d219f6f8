"""Declarations of a game: types, records, options, constants, variables, symmetries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludex.authoring.blocks import Blocks
from ludex.authoring.clauses import Json, named
from ludex.authoring.components import read_type
from ludex.authoring.folder import GameFolder
from ludex.authoring.source import Cursor
from ludex.errors import SpecError, closest
from ludex.language.checker import Names
from ludex.language.types import PLAYER, Type
from ludex.protocol.canonical import digest

__all__ = ["TAKEN", "Declarations"]

#: Names that the language has a use for.
TAKEN = ("players", "n_players", "rulings", "options", "actor", "player")


class Declarations:
    """Reads what a game declares.

    Parameters
    ----------
    folder : GameFolder
        The files.
    errors : list of SpecError
        Errors are added.
    """

    clauses: Blocks

    def __init__(self, folder: GameFolder, errors: list[SpecError]) -> None:
        self.game = folder.files["game.yaml"]
        self.folder = folder
        self.errors = errors

    def section(self, key: str) -> dict[str, Cursor]:
        """Return the entries of a section; none if it is absent."""
        at = self.game.get(key)
        return dict(at.items()) if at is not None else {}

    def type(self, at: Cursor, names: Names) -> Type:
        """Read a type; a faulty one becomes any."""
        try:
            return read_type(at, names.kinds, names.records)
        except SpecError as error:
            self.errors.append(error)
            return Type("any")

    def types_of(self, section: str, names: Names, key: str) -> dict[str, Type]:
        """Read one type of each entry of a section."""
        return {name: self.type(at[key], names) for name, at in self.section(section).items()}

    def params(self, at: Cursor, names: Names) -> dict[str, Type]:
        """Read declared parameters."""
        given = at.get("params")
        if given is None:
            return {}
        for name, param in given.items():
            if name in names.words():
                self.hides(param, name)
        return {k: self.type(v, names) for k, v in given.items()}

    def hides(self, at: Cursor, name: str) -> None:
        """Report a name that hides another."""
        self.errors.append(
            at.error(f"{name!r} hides another name", "hides", "choose another name",
                     at=at.key_place)
        )

    def state_types(self, names: Names) -> dict[str, Type]:
        """Read the types of the variables, with their keys."""
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
            if name in TAKEN:
                self.hides(at, name)
        return types

    def records(self, names: Names) -> dict[str, dict[str, Type]]:
        """Read the declared records; they are flat."""
        result: dict[str, dict[str, Type]] = {}
        for name, at in self.section("records").items():
            result[name] = {}
            if name in names.kinds:
                self.hides(at, name)
            for field, type_at in at.items():
                found = self.type(type_at, names)
                if not _is_flat(found):
                    self.errors.append(
                        type_at.error(f"a field holds one value, found {found}", "record-field",
                                      "records are flat: no list, zone or record inside")
                    )
                result[name][field] = found
        return result

    def options(self) -> Json:
        """Read the variants that players may agree on."""
        result: Json = {}
        for name, at in self.section("options").items():
            values = at.value["values"]
            kinds = {type(v) for v in values}
            if len(kinds) > 1:
                self.errors.append(
                    at["values"].error("expected numbers only, or true and false", "option-values")
                )
            if at.value["default"] not in values:
                self.errors.append(
                    at["default"].error(f"{at.value['default']!r} is not one of the values",
                                        "option-default")
                )
            result[name] = {
                "title": at.value["title"],
                "type": "bool" if kinds == {bool} else "int",
                "values": values,
                "default": at.value["default"],
                **named(self.clauses.rule(at)),
            }
        return result

    def symmetries(self, names: Names) -> list[Json]:
        """Read the declared symmetries."""
        at = self.game.get("symmetries")
        result = []
        for item in at.elements() if at is not None else ():
            for kind, how in item["relabel"].items() if "relabel" in item else ():
                if kind not in names.kinds:
                    self.errors.append(
                        how.error(f"unknown kind {kind!r}", "unknown-kind",
                                  closest(kind, names.kinds), at=how.key_place)
                    )
                elif isinstance(how.value, dict):
                    self._bijection(how, names.kinds[kind])
            for variable in item["reverse"].elements() if "reverse" in item else ():
                found = names.state.get(variable.value)
                if found is None or found.head != "list":
                    what = f"no variable {variable.value!r}" if found is None else str(found)
                    self.errors.append(
                        variable.error(f"expected a variable that is a list, found {what}",
                                       "symmetry-reverse",
                                       closest(variable.value, names.state)
                                       if found is None else None)
                    )
            result.append({**item.value, **named(self.clauses.rule(item)),
                           "place": str(item.place)})
        return result

    def coincidences(self) -> list[Json]:
        """Read the pairs of moves that may do the same."""
        at = self.game.get("coincidences")
        moves = self.game["moves"].value
        result = []
        for item in at.elements() if at is not None else ():
            for move in item["moves"].elements():
                if move.value not in moves:
                    self.errors.append(
                        move.error(f"unknown move {move.value!r}", "unknown-move",
                                   closest(move.value, moves))
                    )
            result.append({**item.value, **named(self.clauses.rule(item)),
                           "place": str(item.place)})
        return result

    def _bijection(self, at: Cursor, members: Sequence[str]) -> None:
        unknown = [w for w in (*at.value, *at.value.values()) if w not in members]
        for word in unknown:
            self.errors.append(
                at.error(f"expected a member, found {word!r}", "symmetry-member",
                         closest(str(word), members))
            )
        if not unknown and sorted(at.value) != sorted(at.value.values()):
            self.errors.append(
                at.error("the members on the right are those on the left in another order",
                         "symmetry-permutation", "leave out the members that stay as they are")
            )

    def players(self) -> list[int]:
        """Read how many may play."""
        at = self.game["players"]
        low, high = at.value["min"], at.value["max"]
        if low > high:
            self.errors.append(at.error(f"min {low} is above max {high}", "players"))
        return list(range(low, high + 1))

    def components(self) -> Json:
        """Return the component set and its digest."""
        at = self.folder.files["components"]
        return {"set": at.value["set"], "digest": digest(at.value)}

    def constants(self, names: Names) -> list[Json]:
        """Read the constants."""
        return [
            {
                "name": name,
                "type": str(names.constants[name]),
                "value": at.value["value"],
                **(named(self.clauses.rule(at)) if "rule" in at else {}),
                "place": str(at.place),
            }
            for name, at in self.section("constants").items()
        ]

    def state(self, names: Names) -> list[Json]:
        """Read the variables."""
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
        """Read who sees a variable."""
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


def _is_flat(type_: Type) -> bool:
    if type_.head == "optional":
        return _is_flat(type_.args[0])
    return type_.head in ("int", "bool", "player", "kind", "any")
