"""Prose files: rules, rulings, examples, display. What they must agree on, and their text."""

from __future__ import annotations

from typing import Any

from ludex.authoring.folder import GameFolder
from ludex.authoring.source import Cursor
from ludex.errors import SpecError, closest

__all__ = ["read_prose"]

Json = dict[str, Any]


def read_prose(
    folder: GameFolder, errors: list[SpecError]
) -> tuple[Json, dict[str, Cursor], dict[str, Json]]:
    """Read the prose files and check their cross references.

    Returns
    -------
    text : dict
        ``rules``, ``sections``, ``sources``, ``rulings``, ``display``, ``examples``.
    rules : dict
        Rule id to the cursor of the rule.
    rulings : dict
        Choice to ``values`` and ``default``.
    """
    book = folder.files["rules.yaml"]
    rules: dict[str, Cursor] = {}
    sections: list[Json] = []
    every: list[Cursor] = []
    for section in book["sections"].elements():
        ids = []
        for rule in section["rules"].elements():
            name = rule.value["id"]
            every.append(rule)
            if name in rules:
                errors.append(
                    rule["id"].error(f"rule {name} is there twice", "duplicate-rule",
                                     f"first at {rules[name].place}")
                )
            rules.setdefault(name, rule)
            ids.append(name)
        sections.append({"id": section.value["id"], "title": section.value["title"], "rules": ids})
    statements = set(book.value["statements"])
    covered: set[str] = set()
    for rule in every:
        _known(rule, "see", rules, "rule", errors)
        _known(rule, "covers", statements, "statement", errors)
        covered.update(rule.value.get("covers") or ())
    for statement in book.value["statements"]:
        if statement not in covered:
            at = book["statements"][statement]
            errors.append(
                at.error(f"no rule covers statement {statement}", "uncovered-statement",
                         "list it under covers: of the rule that says it", at=at.key_place)
            )
    examples: dict[str, Cursor] = {}
    for example in folder.files["examples.yaml"]["examples"].elements():
        name = example.value["id"]
        if name in examples:
            errors.append(
                example["id"].error(f"example {name} is there twice", "duplicate-example",
                                    f"first at {examples[name].place}")
            )
        examples.setdefault(name, example)
    rulings, ruling_text = _rulings(folder.files["rulings.yaml"], rules, examples, errors)
    pinned: set[str] = set()
    for example in examples.values():
        _known(example, "pins", rules, "rule", errors)
        _known(example, "rulings_pinned", ruling_text, "ruling", errors)
        pinned.update(example.value.get("pins") or ())
    for name, rule in rules.items():
        if rule.value["status"] == "formal" and name not in pinned:
            errors.append(
                rule.error(f"no example pins rule {name}", "rule-without-example",
                           "list it under pins: of an example that shows it")
            )
    text = {
        "sources": book.value["sources"],
        "sections": sections,
        "rules": {name: rule.value for name, rule in rules.items()},
        "rulings": ruling_text,
        "display": folder.files["display.yaml"].value,
        "examples": [e.value for e in examples.values()],
    }
    return text, rules, rulings


def _rulings(
    at: Cursor,
    rules: dict[str, Cursor],
    examples: dict[str, Cursor],
    errors: list[SpecError],
) -> tuple[dict[str, Json], dict[str, Json]]:
    choices: dict[str, Json] = {}
    text: dict[str, Json] = {}
    for ruling in at["rulings"].elements():
        value = ruling.value
        if value["id"] in text:
            errors.append(
                ruling["id"].error(f"ruling {value['id']!r} is there twice", "duplicate-ruling")
            )
        text[value["id"]] = value
        _known(ruling, "rules", rules, "rule", errors)
        for pin in ruling["pinned_by"].elements() if "pinned_by" in ruling else ():
            if "near_miss" in pin and pin.value["near_miss"] not in rules:
                errors.append(
                    pin["near_miss"].error(f"there is no rule {pin.value['near_miss']!r}",
                                           "unknown-rule",
                                           closest(pin.value["near_miss"], rules))
                )
            if "example" in pin and pin.value["example"] not in examples:
                errors.append(
                    pin["example"].error(f"there is no example {pin.value['example']!r}",
                                         "unknown-example",
                                         closest(pin.value["example"], examples))
                )
        if value["kind"] == "choice":
            choices[value["id"]] = {"values": list(value["values"]), "default": value["default"]}
            if value["default"] not in value["values"]:
                errors.append(
                    ruling["default"].error(f"{value['default']!r} is not one of the values",
                                            "ruling-default",
                                            closest(value["default"], value["values"]))
                )
    return choices, text


def _known(
    at: Cursor, key: str, known: Any, what: str, errors: list[SpecError]
) -> None:
    for item in at[key].elements() if key in at else ():
        if item.value not in known:
            errors.append(
                item.error(f"there is no {what} {item.value!r}", f"unknown-{what}",
                           closest(item.value, known))
            )
