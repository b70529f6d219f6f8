"""Boards on a terminal, and what a variable puts on a board."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from ludex.pages.cards import Sheet
from ludex.pages.svg import draw as draw_page
from ludex.render import Faces, draw
from ludex.render.places import Mark, board_of, marks_of, raster

PLACES = {"kind": "Stop", "x": "x", "y": "y", "links": "next", "signs": "has", "area": "area"}


def document(item: dict[str, Any], type_: str, **columns: Any) -> dict[str, Any]:
    """A game of three stops: a and b lie side by side, c below a."""
    table = {
        "x": ("int", [0, 1, 0]), "y": ("int", [0, 0, 1]), "area": ("Area", ["up", "up", "down"]),
        "next": ("list(Stop)", [["b"], ["a", "c"], []]),
        "has": ("list(Icon)", [["inn"], [], ["inn", "park"]]), **columns,
    }
    members = {"inn": {"short": "In", "title": "inn", "symbol": "i"},
               "park": {"short": "Pa", "title": "park", "symbol": "♣"}}
    return {
        "moves": [],
        "kinds": {
            "Area": {"members": ["up", "down"], "columns": {}},
            "Icon": {"members": list(members), "columns": {}},
            "Stop": {"members": ["a", "b", "c"], "columns": {
                name: {"type": t, "values": v} for name, (t, v) in table.items()}},
        },
        "state": [{"name": "at", "type": type_}, {"name": "came", "type": type_}],
        "text": {"display": {
            "members": {"Icon": members},
            "faces": {"Stop": {"short": "{id}", "title": "stop {id}"}},
            "layout": [{"zone": "at", "title": "Map", "places": PLACES, **item}],
        }},
    }


def show(document: dict[str, Any], view: dict[str, Any], encoding: str = "utf-8") -> list[str]:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding, newline="\n")
    console = Console(file=file, width=70, highlight=False, color_system=None)
    console.print(draw(Faces(document, encoding), view, "p1"))
    file.flush()
    return [line.rstrip() for line in raw.getvalue().decode(encoding).splitlines()]


GRAPH = {"as": "graph", "behind": "came"}
AT = "map(player, optional(Stop))"


def test_a_graph_says_of_every_token_where_it_is_and_where_it_can_go() -> None:
    view = {"at": {"p1": "b", "p2": "a"}, "came": {"p1": "c", "p2": None}}
    assert show(document(GRAPH, AT), view) == [
        "Map",
        "  p1 (you)  stop b  up",
        "            came from stop c; next to stop a, stop c",
        "  p2        stop a  up, inn",
        "            next to stop b",
    ]


def test_a_token_that_is_nowhere_is_not_shown() -> None:
    view = {"at": {"p1": None, "p2": None}, "came": {"p1": None, "p2": None}}
    assert show(document(GRAPH, AT), view) == ["Map", "  empty"]


def test_a_graph_can_be_written_in_ascii() -> None:
    assert show(document({"as": "graph"}, "Stop"), {"at": "c"}, "ascii") == [
        "Map", "  *  stop c  down, inn, park", "     next to stop b",
    ]


GRID = {"as": "grid"}


def test_a_grid_shows_what_lies_on_squares_and_the_names_of_empty_ones() -> None:
    game = document(GRID, "map(Stop, optional(player))")
    assert show(game, {"at": {"a": "p2", "b": None, "c": None}}) == ["Map", "   p2  b", "   c"]


def test_a_grid_that_is_too_wide_leaves_out_the_names_then_itself() -> None:
    game = document(GRID, "map(Stop, optional(player))")
    face = game["text"]["display"]["faces"]["Stop"]
    face["short"] = "a name of twenty-five " + "{id}" * 20
    assert show(game, {"at": {"a": "p2", "b": None, "c": None}}) == ["Map", "   p2  .", "   ."]
    words = document(GRID, "map(Stop, optional(Area))")
    words["text"]["display"]["members"]["Area"] = {
        "up": {"short": "u", "title": "up", "symbol": "u" * 60}}
    lines = show(words, {"at": {"a": "up", "b": None, "c": None}})
    assert lines[1:] == ["  stop a  up", "  stop b  nothing", "  stop c  nothing"]


def test_rows_that_count_from_the_bottom() -> None:
    game = document({**GRID, "places": {**PLACES, "upward": True}}, "map(Stop, int)")
    assert show(game, {"at": {"a": 7, "b": 0, "c": 0}}) == ["Map", "   c", "   7  b"]


def test_positions_may_be_members_of_kinds() -> None:
    # c is in the second member's column: right of a, whatever its name
    game = document(GRID, "map(Stop, int)", x=("Area", ["up", "up", "down"]),
                    y=("int", [0, 5, 0]))
    board = board_of(Faces(game), {"places": PLACES})
    assert board
    rows = raster(board)
    assert rows
    assert [[p.id if p else None for p in row] for row in rows] == [["a", "c"], ["b", None]]


def test_two_places_on_one_square_are_no_grid() -> None:
    game = document(GRID, "map(Stop, int)", x=("int", [0, 0, 0]), y=("int", [0, 1, 1]))
    lines = show(game, {"at": {"a": 1, "b": 2, "c": 3}})
    assert lines == ["Map", "  stop a  1", "  stop b  2", "  stop c  3"]
    assert "<svg" not in draw_page(Faces(game), Sheet(), {"at": {"a": 1, "b": 2, "c": 3}})


@pytest.mark.parametrize("columns", [
    {"x": ("list(int)", [[0], [1], [2]])}, {"x": ("optional(int)", [0, None, 1])},
])
def test_what_has_no_position_is_written_in_words(columns: dict[str, Any]) -> None:
    assert show(document(GRID, "Stop", **columns), {"at": "b"})[1].strip() == "b  stop b"


def test_a_grid_on_a_page_has_each_square_once() -> None:
    html = draw_page(Faces(document(GRID, "map(Stop, optional(player))")), Sheet(),
                     {"at": {"a": "p2", "b": None, "c": None}})
    assert html.count('class="lx-node"') == 3
    assert "<title>Map: stop a p2</title>" in html
    assert "<title>stop b: empty</title>" in html


@pytest.mark.parametrize(
    ("type_", "value", "wanted"),
    [
        ("Stop", "a", [("a", "*")]),
        ("optional(Stop)", None, []),
        ("map(player, Stop)", {"p1": "a", "p2": "a"}, [("a", "p1"), ("a", "p2")]),
        ("map(Stop, int)", {"a": 0, "b": 12, "c": 0}, [("b", "12")]),
        ("map(Stop, bool)", {"a": False, "b": True, "c": False}, [("b", "yes")]),
        ("map(Stop, stack(Icon))", {"a": ["park", "inn"], "b": [], "c": ["inn"]},
         [("a", "♣x2"), ("c", "i")]),
        ("map(Stop, optional(Icon))", {"a": None, "b": "inn", "c": None}, [("b", "i")]),
        ("int", 3, None),
        ("map(player, int)", {"p1": 3}, None),
        ("map(Icon, int)", {"inn": 3}, None),
        ("map(player, Stop)", {"p1": {"count": 2}}, None),
        ("Stop", {"hidden": True}, None),
    ],
)
def test_what_a_variable_puts_on_a_board(type_: str, value: Any, wanted: Any) -> None:
    faces = Faces(document(GRAPH, type_))
    board = board_of(faces, faces.display["layout"][0])
    assert board
    marks = marks_of(faces, board, value, faces.type(type_))
    assert (None if marks is None else [(m.place, m.words) for m in marks]) == wanted


def test_marks_know_where_they_came_from() -> None:
    faces = Faces(document(GRAPH, "map(player, Stop)"))
    board = board_of(faces, faces.display["layout"][0])
    assert board
    marks = marks_of(faces, board, {"p1": "a"}, faces.type("map(player, Stop)"), {"p1": "b"})
    assert marks == [Mark("a", "p1", owner="p1", behind="b")]
