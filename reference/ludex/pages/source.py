"""What the pages of one game are made from, with the look-ups that several pages share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath
from typing import Any

from ludex.errors import Place
from ludex.pages.clauses import Clause, clauses_of
from ludex.pages.markup import anchor, code, link
from ludex.render import Faces

__all__ = ["GameSource", "Json", "short_place"]

Json = Mapping[str, Any]


@dataclass(frozen=True)
class GameSource:
    """One game.

    Attributes
    ----------
    document : mapping
        The game document with the standard component set.
    sets : mapping
        Component set to the value of its file.
    documents : callable
        From the name of a component set to the game document with it.
    description : sequence of str
        The lines of ``ludex describe``, without the sample game.
    """

    document: Json
    sets: Mapping[str, Json]
    documents: Callable[[str], Json]
    description: Sequence[str] = ()

    @property
    def text(self) -> Json:
        """The prose of the game."""
        found: Json = self.document["text"]
        return found

    @cached_property
    def faces(self) -> Faces:
        """The looks of its components."""
        return Faces(self.document)

    @cached_property
    def clauses(self) -> list[Clause]:
        """Every formal clause, in the order of the document."""
        return list(clauses_of(self.document))

    def clauses_of_rule(self, rule: str) -> list[Clause]:
        """Return the clauses that name a rule themselves."""
        return [c for c in self.clauses if rule in c.names]

    def examples_of_rule(self, rule: str) -> list[Json]:
        """Return the examples that pin a rule."""
        return [e for e in self.text["examples"] if rule in e["pins"]]

    def rulings_of_rule(self, rule: str) -> list[Json]:
        """Return the rulings that concern a rule."""
        return [r for r in self.text["rulings"].values() if rule in r["rules"]]

    # -- links -------------------------------------------------------------------------------

    def rule_link(self, rule: str | None, *, here: bool = False) -> str:
        """Return a link to a rule; a rule that there is not stays plain."""
        if rule is None or rule not in self.text["rules"]:
            return code(rule) if rule else "–"
        return link(code(rule), f"{'' if here else 'rules.md'}#{anchor('rule', rule)}")

    def rule_links(self, clause: Json) -> str:
        """Return links to all rules of a clause, the one that findings name first."""
        rules = [r for r in (clause.get("rule"), *clause.get("also", ())) if r]
        return ", ".join(self.rule_link(r) for r in rules) or "–"


def short_place(place: str) -> str:
    """Return ``game.yaml:42`` for the place of a clause."""
    found = Place.parse(place)
    return f"{PurePath(found.file).name}:{found.line}"
