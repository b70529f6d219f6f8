"""The rulebook of a game: looking things up by id, and searching their words.

Ids are those of rules, sections, rulings and examples. Everything comes from the game document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ludex.errors import UsageError, closest

__all__ = ["Entry", "Rulebook"]

Json = dict[str, Any]
_WORD = re.compile(r"\w+(?:[-.']\w+)*")
#: What can only be an id: a number, or words joined by - or _.
_ID = re.compile(r"[0-9]+(\.[0-9]+)*[a-z]?|\w+([-_]\w+)+")


@dataclass(frozen=True)
class Entry:
    """Something that can be looked up.

    Attributes
    ----------
    what : str
        ``rule``, ``section``, ``ruling`` or ``example``.
    id : str
        Its id.
    title : str
        Its words in one paragraph: of a rule the rule, of a ruling the question.
    value : dict
        What the game says of it; its references are ids.
    """

    what: str
    id: str
    title: str
    value: Json

    def to_json(self) -> Json:
        """Return the entry as JSON."""
        return {"what": self.what, "id": self.id, "title": self.title, **self.value}


class Rulebook:
    """The words of a game.

    Parameters
    ----------
    document : dict
        The game document.
    """

    def __init__(self, document: Mapping[str, Any]) -> None:
        text = document["text"]
        self.sections: list[Json] = text["sections"]
        self._clauses: Mapping[str, list[str]] = text.get("clauses", {})
        self._examples = {e["id"]: e for e in text["examples"]}
        self._rulings: Mapping[str, Json] = text["rulings"]
        self._rules: Mapping[str, Json] = text["rules"]
        self.entries: list[Entry] = [
            *(self._rule(name) for name in self._rules),
            *(Entry("section", s["id"], s["title"], {"rules": s["rules"]}) for s in self.sections),
            *(self._ruling(name) for name in self._rulings),
            *(self._example(name) for name in self._examples),
        ]

    # -- by id -------------------------------------------------------------------------------

    def find(self, name: str) -> list[Entry]:
        """Return what has this id; several things may.

        Parameters
        ----------
        name : str
            Of a rule, a section, a ruling or an example; upper and lower case are the same.
        """
        return [e for e in self.entries if e.id.lower() == name.lower()]

    def look_up(self, words: str) -> tuple[list[Entry], bool]:
        """Return what has this id, or else what these words are found in.

        Parameters
        ----------
        words : str
            As somebody typed them.

        Returns
        -------
        entries : list of Entry
            Empty if nothing is found.
        searched : bool
            Whether it was a search.

        Raises
        ------
        UsageError
            ``usage.unknown-id``: they can only be an id, and there is none such.
        """
        named = self.find(words.strip())
        if named:
            return named, False
        found = self.search(words)
        if not found and _ID.fullmatch(words.strip()):
            sections = ", ".join(s["id"] for s in self.sections)
            raise UsageError(
                f"there is no rule, section, ruling or example {words.strip()!r}",
                code="usage.unknown-id",
                hint=self.nearest(words.strip()) or f"the sections are {sections}",
            )
        return found, True

    def nearest(self, name: str) -> str | None:
        """Return ``did you mean``, or None."""
        return closest(name, [e.id for e in self.entries])

    def _rule(self, name: str) -> Entry:
        rule = self._rules[name]
        section = next(s for s in self.sections if name in s["rules"])
        value: Json = {
            "section": {"id": section["id"], "title": section["title"]},
            "kind": rule["kind"],
            "status": rule["status"],
            **({"why": _words(rule["why"])} if "why" in rule else {}),
            "place": rule["place"],
            "see": rule.get("see", []),
            "rulings": [k for k, r in self._rulings.items() if name in r.get("rules", ())],
            "examples": [k for k, e in self._examples.items() if name in e.get("pins", ())],
            "clauses": self._clauses.get(name, []),
        }
        return Entry("rule", name, _words(rule["text"]), value)

    def _ruling(self, name: str) -> Entry:
        ruling = self._rulings[name]
        value: Json = {k: ruling[k] for k in ("kind", "weight", "place", "rules", "default")
                       if k in ruling}
        for key in ("answer", "reason"):
            if key in ruling:
                value[key] = _words(ruling[key])
        if "values" in ruling:
            value["values"] = {k: _words(v["text"]) for k, v in ruling["values"].items()}
        value["examples"] = [k for k, e in self._examples.items()
                             if name in e.get("rulings_pinned", ())]
        return Entry("ruling", name, _words(ruling["question"]), value)

    def _example(self, name: str) -> Entry:
        example = self._examples[name]
        value = {k: example[k] for k in ("pins", "rulings_pinned", "players", "components",
                                         "rulings", "options", "unreachable", "cannot_start",
                                         "steps") if k in example}
        return Entry("example", name, _words(example["title"]), value)

    # -- by words ----------------------------------------------------------------------------

    def search(self, words: str) -> list[Entry]:
        """Return what has all the words in it, the best first.

        Upper and lower case are the same, and a part of a word counts. Rules stand before rulings
        and examples where they fit as well; whole words, and words in the rule or question
        itself, count more.

        Parameters
        ----------
        words : str
            At least one.
        """
        wanted = [w.lower() for w in _WORD.findall(words)]
        if not wanted:
            return []
        scored = []
        for index, entry in enumerate(self.entries):
            title = f"{entry.id} {entry.title}".lower()
            rest = " ".join(_texts(entry)).lower()
            whole = set(_WORD.findall(f"{title} {rest}"))
            if all(w in title or w in rest for w in wanted):
                score = sum(2 * (w in title) + (w in whole) for w in wanted)
                scored.append((-score, index, entry))
        return [entry for *_, entry in sorted(scored, key=lambda s: s[:2])]


def _words(text: str) -> str:
    return " ".join(text.split())


def _texts(entry: Entry) -> Iterator[str]:
    """Yield what is searched besides the title: words for people, not ids and places."""
    for key in ("why", "answer", "reason", "unreachable"):
        if key in entry.value:
            yield str(entry.value[key])
    if entry.what == "ruling":
        yield from entry.value.get("values", {}).values()
