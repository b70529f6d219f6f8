"""Positions and steps as SVG."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from ludex.pages import GameSource
from ludex.pages.cards import Sheet
from ludex.pages.diagram import Exit, nodes_of, step_diagram
from ludex.pages.svg import draw
from ludex.render import Faces

SVG = re.compile(r"<svg .*?</svg>", re.DOTALL)


def titles(html: str) -> list[str]:
    found = [ElementTree.fromstring(s).findtext("{http://www.w3.org/2000/svg}title")
             for s in SVG.findall(html)]
    return [title or "" for title in found]


def table(type_: str, value: Any, **item: Any) -> str:
    """Draw one variable of a game made up for it."""
    document = {
        "kinds": {"Tile": {"members": ["t1", "t2"], "columns": {}}},
        "state": [{"name": "z", "type": type_}],
        "moves": [],
        "text": {"display": {"faces": {"Tile": {"short": "{id}", "title": "tile {id}"}},
                             "layout": [{"zone": "z", "title": "Zone", **item}]}},
    }
    return draw(Faces(document), Sheet(), {"z": value})


def test_a_row_of_stacks_is_drawn_in_order_with_the_covered_cards() -> None:
    html = table("list(stack(Tile))", [["t1", "t2", "t1"], ["t2"]], **{"as": "row"})
    assert titles(html) == ["stack of 3, top first: tile t1; tile t2; tile t1", "tile t2"]
    tall, short = [ElementTree.fromstring(s) for s in SVG.findall(html)]
    ys = [float(u.get("y", 0)) for u in tall.iter("{http://www.w3.org/2000/svg}use")]
    # the lowest card is drawn first, so that the top card lies over all others
    assert ys == sorted(ys, reverse=True)
    assert ys[-1] == 0
    assert int(tall.get("height", 0)) > int(short.get("height", 0))


def test_very_tall_stacks_say_how_many_cards_are_not_drawn() -> None:
    html = table("stack(Tile)", ["t1"] * 40, **{"as": "row"})
    assert ">+25<" in html
    assert titles(html)[0].startswith("stack of 40,")


@pytest.mark.parametrize(
    ("type_", "form", "value", "words"),
    [
        ("deck(Tile)", "pile", ["t1", "t2"], ["Zone: 2"]),
        ("bag(Tile)", "pile", ["t1", "t1", "t2"], ["Zone: 3", "2 times tile t1", "tile t2"]),
        ("stack(Tile)", "pile", ["t2", "t1", "t1"],
         ["Zone: 3", "tile t2", "tile t1", "tile t1"]),
        ("bag(Tile)", "hand", ["t1", "t2"], ["tile t1", "tile t2"]),
        ("bag(Tile)", "hand", {"count": 4}, ["Zone, hidden: 4"]),
        ("bag(Tile)", "hand", {"count": None}, ["Zone, hidden: number unknown"]),
        ("slot(Tile)", "row", None, ["Zone: empty"]),
        ("slot(Tile)", "pile", "t2", ["tile t2"]),
        ("map(player, bag(Tile))", "pile", {"p1": ["t1"], "p2": {"count": 2}},
         ["Zone: 1", "tile t1", "Zone, hidden: 2"]),
    ],
)
def test_zones(type_: str, form: str, value: Any, words: list[str]) -> None:
    assert titles(table(type_, value, **{"as": form})) == words


@pytest.mark.parametrize(
    ("type_", "item", "value", "wanted"),
    [
        ("int", {"as": "counter", "range": {"from": 0, "to": 9}}, 3, "(0 to 9)"),
        ("int", {"as": "track", "range": {"from": 1, "to": 3}}, 2, 'aria-current=true>2<'),
        ("int", {"as": "grid"}, 7, "<span>7</span>"),
        ("Tile", {"as": "marker"}, "t1", "<title>tile t1</title>"),
        ("optional(Tile)", {"as": "marker"}, None, ">nothing<"),
        ("map(Tile, int)", {"as": "graph"}, {"t1": 1}, "tile t1"),
        ("list(int)", {"as": "row"}, [1, 2], "1, 2"),
        ("int", {"as": "counter"}, {"hidden": True}, "hidden"),
        ("list(stack(Tile))", {"as": "row"}, [], "empty"),
    ],
)
def test_other_forms(type_: str, item: dict[str, Any], value: Any, wanted: str) -> None:
    assert wanted in table(type_, value, **item)


def test_what_the_layout_does_not_name_is_drawn_too(poodle: GameSource) -> None:
    document = {**poodle.document, "text": {**poodle.text, "display": {}}}
    view = {"row": [["red-left"]], "hand": {"p1": ["blue-left"]}}
    html = draw(Faces(document), Sheet(), view)
    assert titles(html) == ["red-left", "blue-left"]


def test_changes_are_said_in_words(poodle: GameSource) -> None:
    before = {"hand": {"p1": ["red-left"], "p2": []}, "row": []}
    after = {"hand": {"p1": [], "p2": []}, "row": [["red-left"]]}
    html = draw(poodle.faces, Sheet(), after, before)
    assert re.findall(r'lx-mark">([^<]*)<', html) == ["changed", "changed: p1"]
    assert "lx-mark" not in draw(poodle.faces, Sheet(), after, after)


def test_between_moves_only_what_changed_is_drawn(poodle: GameSource) -> None:
    before = {"hand": {"p1": ["red-left"], "p2": ["blue-left"]}, "row": [["pink-left"]]}
    after = {**before, "hand": {"p1": ["red-right"], "p2": ["blue-left"]}}
    assert titles(draw(poodle.faces, Sheet(), after, before, whole=False)) == [
        "red, arrow right"]
    assert titles(draw(poodle.faces, Sheet(), after, before)) == [
        "pink, arrow left", "red, arrow right", "blue, arrow left"]


def test_a_colour_that_is_none_is_not_used() -> None:
    faces = Faces({
        "kinds": {"Tile": {"members": ["t1"], "columns": {}}}, "state": [
            {"name": "z", "type": "bag(Tile)"}], "moves": [],
        "text": {"display": {"faces": {"Tile": {"short": "x", "title": "x",
                                                "fill": '"/><script>', "ink": "red"}}}},
    })
    sheet = Sheet()
    draw(faces, sheet, {"z": ["t1"]})
    assert "script" not in sheet.symbols()
    ElementTree.fromstring(sheet.symbols())


# -- the diagram -----------------------------------------------------------------------------


def test_the_steps_follow_from_the_start(poodle: GameSource) -> None:
    nodes = nodes_of(poodle.document)
    assert [(n.name, n.kind) for n in nodes] == [
        ("turn", "decision"), ("refill", "automatic"), ("pass_turn", "automatic"),
        ("the game ends", "end"),
    ]
    assert nodes[0].exits == tuple(Exit(m, "refill") for m in ("start", "extend", "cover"))
    assert nodes[2].exits == (Exit("", "turn"),)


def step(name: str, **parts: Any) -> dict[str, Any]:
    return {"name": name, **parts}


def go(target: str, **parts: Any) -> dict[str, Any]:
    return {"statement": "goto", "step": target, **parts}


def test_conditions_stays_and_dead_ends() -> None:
    document = {
        "title": "T", "start": "a",
        "moves": [
            {"name": "hit", "do": [
                {"statement": "if", "if": {"expr": "x"}, "then": [go("b")], "else": []}]},
            {"name": "wait", "do": []},
        ],
        "steps": [
            step("a", actors={"expr": "players"}, moves=["hit", "wait"], none="b"),
            step("b", do=[go("a", when={"expr": "y"}), go("c")]),
            step("c", do=[{"statement": "match", "match": {"expr": "m"}, "cases": [
                {"members": ["l"], "do": [go("a")]}, {"members": ["r"], "do": [go("b")]}]}]),
            step("lost", do=[go("a")]),
        ],
        "end": [{"when": {"expr": "z"}}],
    }
    a, b, c, lost, _ = nodes_of(document)
    assert a.exits == (Exit("hit (if x)", "b"), Exit("hit (else)", None), Exit("wait", None),
                       Exit("nobody may act", "b"))
    assert b.exits == (Exit("when y", "a"), Exit("", "c"))
    assert c.exits == (Exit("if m is l", "a"), Exit("if m is r", "b"))
    assert lost.name == "lost"
    ElementTree.fromstring(step_diagram(document))


def test_edges_to_different_steps_never_share_a_lane_where_they_meet() -> None:
    names = [f"s{i}" for i in range(6)]
    document = {
        "title": "T", "start": "s0", "moves": [], "end": [],
        "steps": [
            step(n, do=[go(t, when={"expr": t}) for t in names]) for n in names
        ],
    }
    root = ElementTree.fromstring(step_diagram(document))
    lanes: dict[str, set[str]] = {}
    for path in root.iter("{http://www.w3.org/2000/svg}path"):
        found = re.match(r"M(\d+) (\d+)H(\d+)Q.* (\d+)H\d+\Z", path.get("d", ""))
        if found:
            lanes.setdefault(found.group(4), set()).add(found.group(3))
    # every step leads to every other: six targets, six lanes, one each
    assert len(lanes) == 6
    assert all(len(x) == 1 for x in lanes.values())
    assert len(set.union(*lanes.values())) == 6


def test_a_path_of_two_arms_is_drawn_from_end_to_end() -> None:
    type_ = "map(player, map(Tile, stack(Tile)))"
    html = table(type_, {"p1": {"t1": ["t1", "t2"], "t2": ["t1", "t1"]}}, **{"as": "path"})
    assert titles(html) == ["tile t1", "tile t2", "tile t1", "tile t1"]
