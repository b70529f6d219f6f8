"""The formal page: all that the game file declares, unfolded for readers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from ludex.pages.clauses import (
    move_lines,
    option_line,
    signature,
    step_lines,
    symmetry_lines,
    visibility,
)
from ludex.pages.graph import whole_map
from ludex.pages.markup import anchor, block, code, details, esc, heading, link, raw_lines, table
from ludex.pages.source import GameSource, Json, short_place
from ludex.pages.statements import block_lines
from ludex.render import Faces
from ludex.render.places import backdrop_of, board_of

__all__ = ["formal_page"]


def formal_page(source: GameSource) -> str:
    """Return the Markdown of the formal page."""
    document = source.document
    parts = [
        heading(1, f"{esc(document['title'])}: the formal rules"),
        "What the engine carries out, in words. Numbers are rules; a clause without a number of "
        f"its own has that of what it stands in. The language: {_guide()}.\n",
        *_kinds(source),
        *_options(source),
        *_constants(source),
        *_state(source),
        *_functions(source),
        heading(2, "Setup", anchor("setup")),
        _code(block_lines(document["setup"], {})),
        *_named(source, "Steps", "step", document["steps"], step_lines),
        *_named(source, "Moves", "move", document["moves"], move_lines),
        *_named(source, "Effects", "effect", document["effects"],
                lambda e: [signature(e), *block_lines(e["do"], e)]),
        *_end(source),
        *_invariants(source),
        *_symmetries(source),
        *_coincidences(source),
        *_data_checks(source),
        *_components(source),
    ]
    return "\n".join(parts)


def _guide() -> str:
    return link("the rule language", "../../language.md")


def _code(lines: Sequence[str]) -> str:
    return block("lx-clause", f"<pre><code>{raw_lines(lines)}</code></pre>")


def _kinds(source: GameSource) -> Iterator[str]:
    rows = []
    for kind, entry in source.document["kinds"].items():
        columns = "<br>".join(f"{code(c)}: {code(v['type'])}" for c, v in entry["columns"].items())
        members = ", ".join(map(code, entry["members"]))
        rows.append([code(kind), columns or "–", members, source.rule_links(entry)])
    yield heading(2, "Types", anchor("types"))
    yield table(["kind", "columns", "members", "rules"], rows)
    records = source.document.get("records") or {}
    if records:
        yield table(["record", "fields"], [
            [code(name), ", ".join(code(f"{f['name']}: {f['type']}") for f in fields)]
            for name, fields in records.items()
        ])


def _options(source: GameSource) -> Iterator[str]:
    options = source.document["options"]
    if options:
        yield heading(2, "Options", anchor("options"))
        yield "What the players agree on before the game.\n"
        yield table(["name", "", "rules"], [
            [code(name), esc(option_line(name, option)), source.rule_links(option)]
            for name, option in options.items()
        ])


def _constants(source: GameSource) -> Iterator[str]:
    constants = source.document["constants"]
    if constants:
        yield heading(2, "Constants", anchor("constants"))
        yield table(["name", "type", "value"], [
            [code(c["name"]), code(c["type"]), code(json.dumps(c["value"], ensure_ascii=False))]
            for c in constants
        ])


def _state(source: GameSource) -> Iterator[str]:
    rows = []
    for v in source.document["state"]:
        note = f"<br>{esc(v['note'])}" if v.get("note") else ""
        start = f"<br>starts as {code(_value(v['init']))}" if v.get("init") is not None else ""
        rows.append([
            f'<span id="{anchor("state", v["name"])}"></span>{code(v["name"])}',
            f"{code(v['type'])}{note}{start}",
            esc(visibility(v["visible_to"])),
            esc(visibility(v["count_visible_to"])),
            "yes" if v["table"] else "no, bookkeeping",
            source.rule_links(v),
        ])
    yield heading(2, "State", anchor("state"))
    yield table(["name", "type", "seen by", "count seen by", "on the table", "rules"], rows)


def _value(value: Any) -> str:
    if isinstance(value, dict) and "expr" in value:
        return str(value["expr"])
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _functions(source: GameSource) -> Iterator[str]:
    functions = source.document["functions"]
    if functions:
        yield heading(2, "Functions", anchor("functions"))
        yield _code([f"{signature(f)}: {f['type']} = {f['is']['expr']}" for f in functions])


def _named(
    source: GameSource, title: str, kind: str, entries: Sequence[Json], lines: Any
) -> Iterator[str]:
    if not entries:
        return
    yield heading(2, title, anchor(f"{kind}s"))
    for entry in entries:
        yield heading(3, code(entry["name"]), anchor(kind, entry["name"]))
        yield (f"Rules {source.rule_links(entry)} "
               f"<small>{esc(short_place(entry['place']))}</small>\n")
        yield _code(lines(entry))


def _end(source: GameSource) -> Iterator[str]:
    yield heading(2, "End", anchor("end"))
    for ending in source.document["end"]:
        rows = [["when", code(ending["when"]["expr"]), source.rule_links(ending)]]
        for part in ("winners", "returns"):
            if part in ending:
                rules = {"rule": ending[f"{part}_rule"], "also": ending.get(f"{part}_also", ())}
                words = code(ending[part]["expr"])
                if part == "returns":
                    words += " for each <code>player</code>"
                rows.append([part, words, source.rule_links(rules)])
        yield table(["", "", "rules"], rows)


def _invariants(source: GameSource) -> Iterator[str]:
    invariants = source.document["invariants"]
    if invariants:
        yield heading(2, "Invariants", anchor("invariants"))
        yield "They hold in every position. That no component is lost or made is checked too.\n"
        yield table(["in words", "formally", "rules"], [
            [esc(i["note"]), code(i["that"]["expr"]), source.rule_links(i)] for i in invariants
        ])


def _symmetries(source: GameSource) -> Iterator[str]:
    symmetries = source.document.get("symmetries") or ()
    if symmetries:
        yield heading(2, "Symmetries", anchor("symmetries"))
        yield "Changes under which the game stays the same.\n"
        yield table(["name", "in words", "rules"], [
            [code(s["id"]), "<br>".join(map(esc, symmetry_lines(s))), source.rule_links(s)]
            for s in symmetries
        ])


def _coincidences(source: GameSource) -> Iterator[str]:
    coincidences = source.document.get("coincidences", ())
    if coincidences:
        yield heading(2, "Coincidences", anchor("coincidences"))
        yield "Moves that players tell apart, although both may do the same.\n"
        yield table(["moves", "in words", "rules"], [
            [", ".join(map(code, c["moves"])), esc(c["note"]), source.rule_links(c)]
            for c in coincidences
        ])


def _data_checks(source: GameSource) -> Iterator[str]:
    checks = source.document.get("data_checks", ())
    if checks:
        yield heading(2, "Data checks", anchor("data-checks"))
        yield "They hold of every component set.\n"
        yield table(["of each", "formally", "or else", "rules"], [
            [code(f"{c['each']['as']} in {c['each']['in']['expr']}") if "each" in c else "",
             code(c["that"]["expr"]), esc(c["otherwise"]), source.rule_links(c)]
            for c in checks
        ])


# -- components ------------------------------------------------------------------------------


def _components(source: GameSource) -> Iterator[str]:
    yield heading(2, "Components", anchor("components"))
    yield ("*rulebook*: the rulebook says so. *derived*: it follows from that. *reference*: a "
           "public source says so. *illustrative*: invented, in the shape of the real thing.\n")
    for name, found in source.sets.items():
        yield heading(3, f"Set {code(name)}: {esc(found['title'])}", anchor("set", name))
        if "note" in found:
            yield f"{esc(found['note'])}\n"
        rows: list[list[str]] = []
        for kind, entry in found["kinds"].items():
            rows += _kind_rows(kind, entry, found)
        yield table(["kind", "members", "provenance"], rows)
        yield from _boards(source, name)


def _boards(source: GameSource, name: str) -> Iterator[str]:
    """Yield the boards of a set that are drawn as maps, each with a table of its places."""
    faces = Faces(source.documents(name))
    for item in faces.display.get("layout", ()):
        board = board_of(faces, item) if item["as"] == "graph" else None
        if board is None:
            continue
        drawn, numbers = whole_map(board, str(item["title"]), backdrop_of(faces, item))
        yield f"{esc(item['title'])}, {len(board.places)} places:\n"
        yield block("lx-board", f"<div data-search-exclude>{drawn}</div>")
        titles = {p.id: esc(p.look.title) for p in board.places.values()}
        yield details("The places and their neighbours", table(["place", "on it", "next to"], [
            [f"{numbers[p]} {titles[p]}" if p in numbers else titles[p], esc(place.facts),
             ", ".join(titles[other] for other in board.neighbours(p))]
            for p, place in board.places.items()
        ]))


def _kind_rows(kind: str, entry: Json, around: Json) -> Iterator[list[str]]:
    """Yield the members of a kind; those of one provenance together."""
    groups: dict[str, list[str]] = {}
    for member, row in (entry.get("rows") or {}).items():
        groups.setdefault(_provenance(row or {}, entry, around), []).append(code(member))
    if "product" in entry:
        factors = ", ".join(
            f"{column} ({choice if isinstance(choice, str) else ', '.join(map(str, choice))})"
            for column, choice in entry["product"].items()
        )
        words = f"{code(entry['id'])} for every combination of {esc(factors)}"
        groups.setdefault(_provenance(entry, around), []).append(words)
    for said, members in groups.items():
        yield [code(kind), ", ".join(members), said]


def _provenance(*levels: Json) -> str:
    for level in levels:
        if "provenance" in level:
            source = f": {esc(level['source'])}" if "source" in level else ""
            return f"{esc(level['provenance'])}{source}"
    return "not said"
