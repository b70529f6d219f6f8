"""Values of a position to and from canonical JSON.

Inside, players and members of kinds are integers; at the border they are ids. One `Codec` serves
one game with a fixed number of players.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ludex.engine.flow import has_known_places
from ludex.errors import SpecError, closest
from ludex.language.types import Type, parse_type

__all__ = ["Codec"]


class Codec:
    """Encodes and decodes.

    Parameters
    ----------
    document : dict
        The game document.
    players : int
        How many play.
    """

    def __init__(self, document: Mapping[str, Any], players: int) -> None:
        self.players = [f"p{i + 1}" for i in range(players)]
        self.members: dict[str, list[str]] = {
            kind: list(d["members"]) for kind, d in document["kinds"].items()
        }
        #: record to its fields, in order, with their types (read when first needed)
        self._records: dict[str, list[tuple[str, str]]] = {
            name: [(f["name"], f["type"]) for f in fields]
            for name, fields in document["records"].items()
        }
        #: whether decks have known cards on top or at the bottom: then a deck is three lists
        self.stacked = has_known_places(document)
        for ruling, d in document["rulings"].items():
            self.members[f"rulings.{ruling}"] = list(d["values"])
        self.index = {k: {m: i for i, m in enumerate(v)} for k, v in self.members.items()}
        self.player_index = {p: i for i, p in enumerate(self.players)}
        self._types: dict[str, Type] = {}

    def type(self, text: str) -> Type:
        """Read a type text of the document."""
        found = self._types.get(text)
        if found is None:
            found = (Type("kind", name=text) if text in self.members
                     else parse_type(text, self.members, self._records, inner=True))
            self._types[text] = found
        return found

    def fields(self, record: str) -> list[tuple[str, Type]]:
        """Return the fields of a record, in order."""
        return [(name, self.type(text)) for name, text in self._records[record]]

    def cells(self, type_: Type) -> int:
        """Return how many values a variable of a type begins with."""
        if type_.head == "map":
            return len(self.keys(type_.args[0])) * self.cells(type_.args[1])
        return len(self._records[type_.name]) if type_.head == "record" else 1

    def keys(self, type_: Type) -> list[str]:
        """Return the keys of a map, in order."""
        return self.players if type_.head == "player" else self.members[type_.name]

    # -- out ---------------------------------------------------------------------------------

    def decode(self, value: Any, type_: Type) -> Any:
        """Return the canonical JSON of a value."""
        return self.decoder(type_)(value)

    def decoder(self, type_: Type, *, full: bool = False) -> Callable[[Any], Any]:
        """Return a function from a value to its canonical JSON.

        Parameters
        ----------
        type_ : Type
            Of the value.
        full : bool
            Whether the known places of a deck are written, too: then the value can be read back.
        """
        head = type_.head
        if head in ("int", "bool", "any", "null"):
            return lambda v: v
        if head == "player":
            return self.players.__getitem__
        if head == "kind":
            return self.members[type_.name].__getitem__
        if head in ("optional", "slot"):
            inner = self.decoder(type_.args[0], full=full)
            return lambda v: None if v is None else inner(v)
        if head == "deck" and self.stacked:
            names = self.members[type_.args[0].name]
            if full:
                return lambda v: {
                    "top": [names[i] for i in v[1]],
                    "shuffled": sorted([names[i] for i in v[0]]),
                    "bottom": [names[i] for i in v[2]],
                }
            return lambda v: sorted([names[i] for part in v for i in part])
        if head in ("bag", "deck"):
            names = self.members[type_.args[0].name]
            return lambda v: sorted([names[i] for i in v])
        if head == "record":
            fields = [(n, self.decoder(t)) for n, t in self.fields(type_.name)]
            return lambda v: {n: d(x) for (n, d), x in zip(fields, v, strict=True)}
        if head == "stack":
            names = self.members[type_.args[0].name]
            return lambda v: [names[i] for i in reversed(v)]
        if head == "list":
            inner = self.decoder(type_.args[0], full=full)
            return lambda v: [inner(x) for x in v]
        if head == "map":
            keys, inner = self.keys(type_.args[0]), self.decoder(type_.args[1], full=full)
            return lambda v: {k: inner(x) for k, x in zip(keys, v, strict=True)}
        raise AssertionError(type_)

    # -- in ----------------------------------------------------------------------------------

    def encode(self, value: Any, type_: Type, where: str = "") -> Any:
        """Read a value from canonical JSON.

        Raises
        ------
        SpecError
            ``value.type`` or ``value.unknown``, with a dotted path in the message.
        """
        head = type_.head
        if head in ("optional", "slot", "null") and value is None:
            return None
        if head in ("optional", "slot"):
            return self.encode(value, type_.args[0], where)
        if head == "int" and type(value) is int:
            return value
        if head == "bool" and type(value) is bool:
            return value
        if head in ("player", "kind"):
            table = self.player_index if head == "player" else self.index[type_.name]
            if isinstance(value, str) and value in table:
                return table[value]
            if isinstance(value, str):
                raise SpecError(f"{where}: there is no {type_} {value!r}", code="value.unknown",
                                hint=closest(value, table))
        if head == "deck" and self.stacked:
            return self._deck(value, type_, where)
        if head == "record" and isinstance(value, Mapping):
            fields = self.fields(type_.name)
            if value.keys() != {n for n, _ in fields}:
                raise SpecError(
                    f"{where}: expected the fields {', '.join(n for n, _ in fields)}, "
                    f"found {', '.join(value)}",
                    code="value.keys",
                )
            return [self.encode(value[n], t, f"{where}.{n}") for n, t in fields]
        if head in ("deck", "bag", "stack", "list") and isinstance(value, list):
            items = [
                self.encode(v, type_.args[0], f"{where}[{i}]") for i, v in enumerate(value)
            ]
            if head in ("bag", "deck"):
                return sorted(items)
            return items[::-1] if head == "stack" else items
        if head == "map" and isinstance(value, Mapping):
            keys = self.keys(type_.args[0])
            wrong = [k for k in value if k not in keys] + [k for k in keys if k not in value]
            if wrong:
                raise SpecError(
                    f"{where}: expected the keys {', '.join(keys)}, found {', '.join(value)}",
                    code="value.keys",
                )
            return [self.encode(value[k], type_.args[1], f"{where}.{k}") for k in keys]
        raise SpecError(f"{where}: expected {type_}, found {value!r}", code="value.type")

    def _deck(self, value: Any, type_: Type, where: str) -> list[list[int]]:
        """Read a deck with known places: a list of its contents, or top, shuffled, bottom."""
        parts = value if isinstance(value, Mapping) else {"shuffled": value}
        if not parts.keys() <= {"top", "shuffled", "bottom"} or not all(
            isinstance(v, list) for v in parts.values()
        ):
            raise SpecError(
                f"{where}: expected a list, or top, shuffled and bottom, found {value!r}",
                code="value.type",
            )
        read = {
            k: [self.encode(v, type_.args[0], f"{where}.{k}[{i}]") for i, v in enumerate(items)]
            for k, items in parts.items()
        }
        return [sorted(read.get("shuffled", [])), read.get("top", []), read.get("bottom", [])]

    def zero(self, type_: Type, init: Any = None, where: str = "init") -> Any:
        """Return the value of a variable before setup.

        Parameters
        ----------
        type_ : Type
            Of the variable.
        init : object
            What the game declares: of a map either the whole or the value for every key.
        where : str
            What an error calls it.
        """
        head = type_.head
        if head == "map":
            keys = self.keys(type_.args[0])
            if isinstance(init, Mapping) and init.keys() == set(keys):
                return self.encode(init, type_, where)
            return [self.zero(type_.args[1], init, where) for _ in keys]
        if init is not None:
            return self.encode(init, type_, where)
        if head in ("optional", "slot"):
            return None
        if head in ("int", "player", "kind"):
            return 0
        if head == "bool":
            return False
        if head == "record":
            return [self.zero(t) for _, t in self.fields(type_.name)]
        if head == "deck" and self.stacked:
            return [[], [], []]
        return []
