"""Symmetries: changes of names and places under which a game stays the same.

A `Renaming` renames members and players and reverses lists, in positions, moves and outcomes. A
spec declares families of them; `renaming` picks one. Numbers keep their meaning: a position in a
list that is reversed is not turned round, so a mirrored game names its places by members or ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from ludex.engine.codec import Codec
from ludex.engine.flow import nodes
from ludex.errors import SpecError
from ludex.language.types import Type

__all__ = ["Renaming", "renaming"]

Json = Mapping[str, Any]
#: Returns an integer from 0 to n - 1.
Choose = Callable[[int], int]


class Renaming:
    """One symmetry, chosen.

    Parameters
    ----------
    document : dict
        The game document.
    codec : Codec
        Of the game.
    members : mapping
        Kind to the new id of each member; kinds that are not there keep theirs.
    seats : int
        Players move on by so many seats.
    reverse : collection of str
        Lists that are turned round.
    """

    def __init__(
        self,
        document: Json,
        codec: Codec,
        members: Mapping[str, Mapping[str, str]],
        seats: int,
        reverse: tuple[str, ...],
    ) -> None:
        self.document = document
        self.codec = codec
        self.types = {v["name"]: codec.type(v["type"]) for v in document["state"]}
        self.members = members
        self.reverse = reverse
        ids = codec.players
        self.players = {p: ids[(i + seats) % len(ids)] for i, p in enumerate(ids)}

    @cached_property
    def picks(self) -> dict[str, Type]:
        """Name of a ``pick`` to the type of what is picked."""
        parts = [self.document[k] for k in ("setup", "steps", "moves", "effects")]
        return {
            node["as"]: self.codec.type(node["from"]["tree"]["type"]).args[0]
            for node in nodes(parts)
            if node.get("statement") == "pick"
        }

    def value(self, value: Any, type_: Type) -> Any:
        """Rename inside a canonical value."""
        head = type_.head
        if value is None or head in ("int", "bool"):
            return value
        if head == "player":
            return self.players[value]
        if head == "kind":
            return self.members.get(type_.name, {}).get(value, value)
        if head in ("optional", "slot"):
            return self.value(value, type_.args[0])
        if head == "deck" and isinstance(value, Mapping):
            parts = {k: [self.value(v, type_.args[0]) for v in part] for k, part in value.items()}
            return {**parts, "shuffled": sorted(parts["shuffled"])}
        if head == "deck" and isinstance(value, Mapping):
            # with known places: only the shuffled part has no order
            renamed = {k: [self.value(v, type_.args[0]) for v in part]
                       for k, part in value.items()}
            return {k: sorted(v) if k == "shuffled" else v for k, v in renamed.items()}
        if head in ("bag", "deck"):
            return sorted(self.value(v, type_.args[0]) for v in value)
        if head == "record":
            return {n: self.value(value[n], t) for n, t in self.codec.fields(type_.name)}
        if head in ("list", "stack"):
            return [self.value(v, type_.args[0]) for v in value]
        if head == "map":
            renamed = {
                self.value(k, type_.args[0]): self.value(v, type_.args[1])
                for k, v in value.items()
            }
            return {k: renamed[k] for k in value}
        raise AssertionError(type_)

    def state(self, state: Json) -> dict[str, Any]:
        """Rename inside the variables of a position."""
        result = {}
        for name, value in state.items():
            renamed = self.value(value, self.types[name])
            result[name] = renamed[::-1] if name in self.reverse else renamed
        return result

    def zone(self, path: str) -> str:
        """Rename inside a zone's name such as ``hand.p1``."""
        name, *keys = path.split(".")
        type_ = self.types[name]
        done = [name]
        for key in keys:
            done.append(str(self.value(key, type_.args[0])))
            type_ = type_.args[1]
        return ".".join(done)

    def move(self, move: Json, params: Mapping[str, Type]) -> dict[str, Any]:
        """Rename inside a move."""
        return {
            "actor": self.players[move["actor"]],
            "move": move["move"],
            "args": {k: self.value(v, params[k]) for k, v in move["args"].items()},
        }

    def outcome(self, outcome: Json) -> dict[str, Any]:
        """Rename inside an outcome of chance."""
        if "draw" in outcome:
            kind = self.types[outcome["from"].split(".")[0]]
            while kind.args:
                kind = kind.args[-1]
            return {
                "draw": self.value(outcome["draw"], kind),
                "from": self.zone(outcome["from"]),
                "to": self.zone(outcome["to"]),
            }
        if "pick" in outcome:
            return {**outcome, "pick": self.value(outcome["pick"], self.picks[outcome["of"]])}
        return dict(outcome)

    def ending(self, outcome: Json | None) -> dict[str, Any] | None:
        """Rename inside the outcome of a game; winners and returns are sorted by player."""
        if outcome is None:
            return None
        result: dict[str, Any] = {"winners": sorted(self.players[p] for p in outcome["winners"])}
        if "returns" in outcome:
            renamed = {self.players[p]: n for p, n in outcome["returns"].items()}
            result["returns"] = {p: renamed[p] for p in self.codec.players}
        return result


def renaming(document: Json, codec: Codec, symmetry: Json, choose: Choose) -> Renaming:
    """Choose one member of a declared family.

    Parameters
    ----------
    document : dict
        The game document.
    codec : Codec
        Of the game.
    symmetry : dict
        From ``symmetries``.
    choose : callable
        Picks permutations and seats.

    Raises
    ------
    SpecError
        ``symmetry.columns``, if a component has no image: no row has the renamed columns.
    """
    direct: dict[str, dict[str, str]] = {}
    for kind, how in symmetry.get("relabel", {}).items():
        ids = list(codec.members[kind])
        if isinstance(how, str):
            direct[kind] = {}
            for alike in [ids] if how == "any" else _alike(document, kind, ids):
                left = list(alike)
                for member in alike:
                    direct[kind][member] = left.pop(choose(len(left)))
        else:
            direct[kind] = {m: how.get(m, m) for m in ids}
    members = {**direct, **_induced(document, direct)}
    seats = choose(len(codec.players)) if symmetry.get("rotate") else 0
    return Renaming(document, codec, members, seats, tuple(symmetry.get("reverse", ())))


def _alike(document: Json, kind: str, ids: Sequence[str]) -> list[list[str]]:
    """Return the members in classes: those of one class can be exchanged with one another.

    Two members are alike if the component set stays the same when they change places. With
    exchanges of a and b and of b and c comes that of a and c, so one of each class is asked.
    """
    declared = document["kinds"].get(kind, {"columns": {}})
    columns = [c["values"] for c in declared["columns"].values()]
    row = dict(zip(ids, zip(*columns, strict=True), strict=True)) if columns else {}
    classes: list[list[str]] = []
    for member in ids:
        for alike in classes:
            other = alike[0]
            if row.get(member) != row.get(other):
                continue
            try:
                _induced(document, {kind: {member: other, other: member}})
            except SpecError:
                continue
            alike.append(member)
            break
        else:
            classes.append([member])
    return classes


def _induced(
    document: Json, direct: Mapping[str, Mapping[str, str]]
) -> dict[str, dict[str, str]]:
    """Return what renaming the members of kinds does to components that have them as columns."""
    result: dict[str, dict[str, str]] = {}
    for kind, d in document["kinds"].items():
        columns = d["columns"]
        if kind in direct or not any(c["type"] in direct for c in columns.values()):
            continue
        rows = {
            member: tuple(_cell(c["values"][i]) for c in columns.values())
            for i, member in enumerate(d["members"])
        }
        back = {row: member for member, row in rows.items()}
        image = {}
        for member, row in rows.items():
            renamed = tuple(
                direct[c["type"]].get(v, v) if c["type"] in direct else v
                for v, c in zip(row, columns.values(), strict=True)
            )
            if renamed not in back:
                raise SpecError(f"{kind} {member} has no image: no row has the columns {renamed}",
                                code="symmetry.columns")
            image[member] = back[renamed]
        result[kind] = image
    return result


def _cell(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
