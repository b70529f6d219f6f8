"""Statements that ask chance to Python: draw, pick, roll.

Each of them has a *site*: what it asks about, in the words of the protocol, and who sees the
answer.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from ludex.engine.chance import Outcome, Site
from ludex.engine.templates import constant, expression, name, statements
from ludex.engine.zones import Block, Json, ZoneCompiler
from ludex.language.types import Type

__all__ = ["AskingCompiler"]


class AskingCompiler(ZoneCompiler):
    """Compiles statements that ask chance."""

    def site(
        self, kind: str, value_type: Type, paths: Mapping[str, Json], viewer: Any, **fixed: str
    ) -> tuple[ast.expr, ast.expr]:
        """Register a chance site; return its name and the tuple of its keys.

        Parameters
        ----------
        kind : str
            ``draw``, ``pick`` or ``roll``.
        value_type : Type
            Of the outcome.
        paths : mapping
            What the outcome says of zones: word to path.
        viewer : object
            ``visible_to`` of a pick or a roll; of a draw None: whoever sees one of the zones.
        **fixed : str
            What the outcome says besides.
        """
        keys: list[ast.expr] = []
        parts: list[tuple[str, list[Any]]] = []
        seen_by: list[str | int] = []
        for word, clause in paths.items():
            pieces, types = _path(clause["tree"])
            names: list[Any] = [pieces[0]]
            visible = self.visibility[pieces[0]]
            if visible == "owner":
                # a per-player variable: its first key is the owner
                seen_by.append(len(keys))
            elif visible == "everyone":
                seen_by.append(visible)
            for piece, type_text in zip(pieces[1:], types, strict=True):
                keys.append(self.expressions.tree(piece))
                names.append(self.codec.decoder(self.codec.type(type_text)))
            parts.append((word, names))
        if viewer == "everyone":
            seen_by.append(viewer)
        elif isinstance(viewer, Mapping):
            seen_by.append(len(keys))
            keys.append(self.expressions.compile(viewer))

        def sees(player: int, values: tuple[int, ...]) -> bool:
            return any(
                by == "everyone" or (isinstance(by, int) and values[by] == player)
                for by in seen_by
            )

        def about(values: tuple[int, ...]) -> Outcome:
            rest = iter(values)
            result: Outcome = dict(fixed)
            for word, names in parts:
                result[word] = ".".join(
                    [names[0], *(str(decode(next(rest))) for decode in names[1:])]
                )
            return result

        codec = self.codec
        if value_type.head in ("player", "kind"):
            table = (
                codec.player_index if value_type.head == "player" else codec.index[value_type.name]
            )
            encode: Any = table.__getitem__
        else:
            encode = lambda value: codec.encode(value, value_type)  # noqa: E731
        self.sites.append(Site(kind, about, encode, codec.decoder(value_type), sees))
        return name(f"site_{len(self.sites) - 1}"), ast.Tuple(keys, ast.Load())

    def _draw(self, statement: Json, where: str) -> Block:
        zone, type_ = self.zone(statement["from"])
        card = self.fresh("c")
        site, keys = self.site(
            "draw", type_.args[0], {"from": statement["from"], "to": statement["to"]}, None
        )
        ask = "_c = C.draw(_z, _s, _k)\n_z.remove(_c)"
        empty = expression("not _z", _z=zone)
        if type_.head == "deck" and self.codec.stacked:
            # a card whose place is known has no outcome
            ask = (
                "_c = deck_known(_z)\nif _c is None:\n"
                " _c = C.draw(_z[0], _s, _k)\n _z[0].remove(_c)"
            )
            empty = expression("not deck_size(_z)", _z=zone)
        counted = id(statement) in self.expressions.counted
        one = [
            *(statements("spend()") if counted else ()),
            *self.note(statement, where, statement["from"], statement["to"]),
            *statements(ask, _c=card, _z=zone, _s=site, _k=keys),
            *self.put(statement, card),
        ]
        before: Block = []
        if "as" in statement:
            variable = name(f"v_{statement['as']}")
            one += statements("_v = _c", _v=variable, _c=card)
            before = statements("_v = None", _v=variable)
        refill: Block = []
        if "when_empty" in statement:
            call = statement["when_empty"]
            args = [self.expressions.compile(a) for a in call["args"]]
            effect = ast.Call(name(f"e_{call['effect']}"), [name("S"), name("C"), *args], [])
            refill = statements("if _e:\n _b", _e=empty, _b=[ast.Expr(effect)])
        if "count" not in statement:
            return [*before, *refill, *statements("if not _e:\n _b", _e=empty, _b=one)]
        return [
            *before,
            *statements(
                "for _i in range(_n):\n _r\n if _e:\n  break\n _b",
                _i=self.fresh("i"),
                _n=self.expressions.compile(statement["count"]),
                _r=refill,
                _e=empty,
                _b=one,
            ),
        ]

    def _pick(self, statement: Json, where: str) -> Block:
        items = self.expressions.loop(statement["from"]["tree"])
        type_ = self.codec.type(statement["from"]["tree"]["type"]).args[0]
        site, keys = self.site("pick", type_, {}, statement["visible_to"], of=statement["as"])
        return [
            *self.note(statement, where),
            *statements("_v = C.pick(_l, _s, _k)", _v=name(f"v_{statement['as']}"), _l=items,
                        _s=site, _k=keys),
        ]

    def _roll(self, statement: Json, where: str) -> Block:
        count = (
            self.expressions.compile(statement["count"]) if "count" in statement else constant(1)
        )
        if id(statement) in self.expressions.counted:
            count = expression("many(_n)", _n=count)
        site, keys = self.site(
            "roll", Type("list", (Type("int"),)), {}, statement["visible_to"]
        )
        return [
            *self.note(statement, where),
            *statements(
                "_v = C.roll(_n, _d, _s, _k)",
                _v=name(f"v_{statement['as']}"),
                _n=count,
                _d=self.expressions.compile(statement["sides"]),
                _s=site,
                _k=keys,
            ),
        ]


def _path(tree: Json) -> tuple[list[Any], list[str]]:
    """Return a path as the variable followed by key trees, and the types of the keys."""
    pieces: list[Any] = []
    types: list[str] = []
    while "get" not in tree:
        if "key" in tree:
            pieces.append(tree["key"])
            types.append(tree["key"]["type"])
            tree = tree["of"]
        else:
            pieces.append(tree["args"][1])
            types.append("int")
            tree = tree["args"][0]
    return [tree["name"], *reversed(pieces)], list(reversed(types))
