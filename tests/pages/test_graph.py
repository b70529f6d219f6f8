"""Maps: every place and link once, names that cover nothing, tokens where they are."""

from __future__ import annotations

import json
import re
import time
from itertools import combinations, pairwise
from math import dist
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
import yaml
from shown import DOCS

from ludex.authoring.spec_home import spec_home
from ludex.pages import GameSource
from ludex.pages.cards import Sheet
from ludex.pages.formal import formal_page
from ludex.pages.graph import Map, draw_graph, whole_map
from ludex.pages.labels import Box, place_labels, text_width
from ludex.pages.svg import draw
from ludex.render import Faces
from ludex.render.places import Board, Mark, backdrop_of, board_of

SVG = "{http://www.w3.org/2000/svg}"
#: How far letters reach above and below the base of a line, in parts of their size.
ABOVE, BELOW = 0.9, 0.25
Rect = tuple[float, float, float, float]


def parsed(html: str) -> ElementTree.Element:
    found = re.search(r"<svg .*</svg>", html, re.DOTALL)
    assert found
    return ElementTree.fromstring(found.group())


def number(element: ElementTree.Element, name: str) -> float:
    return float(element.get(name, "nan"))


def nodes(svg: ElementTree.Element) -> dict[str, Rect]:
    """The boxes of the places, by their titles."""
    found = {}
    for group in svg.iter(f"{SVG}g"):
        rect = group.find(f"{SVG}rect")
        if group.get("class") == "lx-node" and rect is not None:
            x, y = number(rect, "x"), number(rect, "y")
            title = group.findtext(f"{SVG}title") or ""
            assert title not in found, f"{title} is drawn twice"
            found[title] = (x, y, x + number(rect, "width"), y + number(rect, "height"))
    return found


def names(svg: ElementTree.Element) -> list[tuple[str, Rect]]:
    """Every line of a name with its box, measured from what the drawing says."""
    found = []
    for text in svg.iter(f"{SVG}text"):
        if text.get("class") == "lx-label":
            x, y, size = number(text, "x"), number(text, "y"), number(text, "font-size")
            box = (x, y - ABOVE * size, x + number(text, "textLength"), y + BELOW * size)
            found.append((text.text or "", box))
    return found


def meet(a: Rect, b: Rect) -> bool:
    # drawings are rounded to a tenth of a pixel
    return min(a[2], b[2]) - max(a[0], b[0]) > 0.2 and min(a[3], b[3]) - max(a[1], b[1]) > 0.2


def collisions(svg: ElementTree.Element) -> list[tuple[str, str]]:
    lines = names(svg)
    found = [(a, b) for (a, box), (b, other) in combinations(lines, 2) if meet(box, other)]
    return found + [(a, title) for a, box in lines for title, other in nodes(svg).items()
                    if meet(box, other)]


@pytest.fixture(scope="module")
def taxifolie(sources: list[GameSource]) -> GameSource:
    (found,) = [s for s in sources if s.document["game"] == "taxifolie"]
    return found


@pytest.fixture(scope="module")
def paris(taxifolie: GameSource) -> tuple[Faces, dict[str, Any]]:
    faces = taxifolie.faces
    (item,) = [i for i in faces.display["layout"] if i["as"] == "graph"]
    return faces, item


@pytest.fixture(scope="module")
def board(paris: tuple[Faces, dict[str, Any]]) -> Board:
    found = board_of(*paris)
    assert found
    return found


@pytest.fixture(scope="module")
def svg(paris: tuple[Faces, dict[str, Any]], board: Board) -> ElementTree.Element:
    html, numbers = whole_map(board, "The map", backdrop_of(*paris))
    assert not numbers, "there is room for every name"
    return parsed(html)


@pytest.fixture(scope="module")
def rows() -> dict[str, Any]:
    """The spaces as they stand in the file, read without Ludex."""
    file = spec_home() / "games" / "taxifolie" / "components" / "standard.yaml"
    found: dict[str, Any] = yaml.safe_load(file.read_text("utf-8"))["kinds"]["Space"]["rows"]
    return found


def test_every_space_is_drawn_once_where_the_file_says(
    svg: ElementTree.Element, board: Board, rows: dict[str, Any]
) -> None:
    drawn = nodes(svg)
    assert len(drawn) == len(rows) >= 120
    centres = [((a + c) / 2, (b + d) / 2) for a, b, c, d in drawn.values()]
    # the drawing keeps the order of the members; equal steps in the file are equal in the drawing
    first, *_, last = rows.values()
    scale = (centres[-1][0] - centres[0][0]) / (last["x"] - first["x"])
    for (x, y), row in zip(centres, rows.values(), strict=True):
        assert x == pytest.approx(row["x"] * scale, abs=0.2)
        assert y == pytest.approx(row["y"] * scale, abs=0.2)


def test_every_link_is_drawn_once_from_place_to_place(
    svg: ElementTree.Element, rows: dict[str, Any]
) -> None:
    wanted = {frozenset((a, b)) for a, row in rows.items() for b in row["next"]}
    centres = {member: ((a + c) / 2, (b + d) / 2)
               for member, (a, b, c, d) in zip(rows, nodes(svg).values(), strict=True)}

    def at(line: ElementTree.Element, end: int) -> str:
        here = number(line, f"x{end}"), number(line, f"y{end}")
        (member,) = [m for m, centre in centres.items() if dist(here, centre) < 0.3]
        return member

    found = [frozenset((at(line, 1), at(line, 2))) for line in svg.iter(f"{SVG}line")]
    assert len(found) == len(set(found)) == len(wanted)
    assert set(found) == wanted


def test_no_name_covers_a_place_or_another_name(svg: ElementTree.Element, board: Board) -> None:
    assert collisions(svg) == []
    said = " ".join(name for name, _ in names(svg)).replace("- ", "-")
    for place in board.places.values():
        assert place.look.title in said


def test_a_planted_collision_is_found(svg: ElementTree.Element) -> None:
    copy = ElementTree.fromstring(ElementTree.tostring(svg))
    first, second = [t for t in copy.iter(f"{SVG}text") if t.get("class") == "lx-label"][:2]
    first.set("x", second.get("x", ""))
    first.set("y", second.get("y", ""))
    assert (first.text, second.text) in collisions(copy)
    node = next(iter(nodes(copy).items()))
    first.set("x", str(node[1][0]))
    first.set("y", str(node[1][3]))
    assert (first.text, node[0]) in collisions(copy)


def test_names_are_inside_the_drawing(svg: ElementTree.Element) -> None:
    left, top, width, height = map(float, svg.get("viewBox", "").split())
    for _, (a, b, c, d) in [*names(svg), *nodes(svg).items()]:
        assert left <= a <= c <= left + width
        assert top <= b <= d <= top + height


# -- placing names -----------------------------------------------------------------------------


def small(**titles: str) -> dict[str, Box]:
    """Places in a row, so close that long names do not fit side by side."""
    return {p: Box(40 * i, 0, 40 * i + 18, 18) for i, p in enumerate(titles)}


def test_names_give_way_to_one_another() -> None:
    titles = {p: f"Quite a long name {p}" for p in "abcd"}
    labels, numbers = place_labels(small(**titles), titles, [])
    assert not numbers
    for one, other in combinations(labels.values(), 2):
        assert not one.box.meets(other.box)


def test_where_there_is_no_room_a_number_stands_for_the_name() -> None:
    # a block of 7 x 7 places with gaps of 14 pixels: a number fits, a name does not
    titles = {f"p{i}": "An impossibly long name" for i in range(49)}
    boxes = {p: Box(32 * (i % 7), 32 * (i // 7), 32 * (i % 7) + 18, 32 * (i // 7) + 18)
             for i, p in enumerate(titles)}
    labels, numbers = place_labels(boxes, titles, [])
    assert numbers
    assert sorted(numbers.values()) == list(range(1, len(numbers) + 1))
    for place, given in numbers.items():
        assert place not in labels or labels[place].lines == (str(given),)
    for one, other in combinations(labels.values(), 2):
        assert not one.box.meets(other.box)
    assert not any(label.box.meets(box) for label in labels.values() for box in boxes.values())


def test_a_free_position_is_preferred_to_one_over_a_link() -> None:
    # the link leaves to the right, where a name would stand otherwise
    labels, _ = place_labels({"a": Box(0, 0, 18, 18)}, {"a": "Name"}, [(9, 9, 200, 9)])
    assert not labels["a"].box.crossed_by(9, 9, 200, 9)


@pytest.mark.parametrize(
    ("line", "crosses"),
    [((-5, 5, 15, 5), True), ((-5, -5, 15, 15), True), ((-5, 12, 15, 12), False),
     ((3, 3, 4, 4), True), ((-5, 5, -1, 5), False), ((5, -9, 5, -1), False),
     ((-9, 8, 8, 25), False)],
)
def test_lines_through_boxes(line: Rect, crosses: bool) -> None:
    assert Box(0, 0, 10, 10).crossed_by(*line) is crosses


def test_accents_do_not_change_widths_and_wide_letters_are_wider() -> None:
    assert text_width("École") == text_width("Ecole")
    widths = [text_width(w, 10) for w in ("i", "a", "M", "地")]
    assert all(a < b for a, b in pairwise(widths))


# -- positions ---------------------------------------------------------------------------------


def test_tokens_are_drawn_at_their_places_and_told_in_words(
    paris: tuple[Faces, dict[str, Any]],
) -> None:
    faces, item = paris
    sheet = Sheet()
    view = {"at": {"p1": "louvre", "p2": "pont-neuf"}, "came": {"p1": "palais-royal", "p2": None}}
    types = {v["name"]: v["type"] for v in faces.document["state"]}
    assert types["at"] == "map(player, Space)"
    html = draw(faces, sheet, view)
    picture = parsed(html)
    said = picture.findtext(f"{SVG}title") or ""
    assert "p1: Louvre" in said
    assert "came from Palais-Royal" in said
    assert "p2: Pont Neuf" in said
    rings = [r for r in picture.iter(f"{SVG}rect") if r.get("class") == "lx-ring"]
    drawn = Map(board_of(faces, item) or Board({}))
    assert [(number(r, "x"), number(r, "y")) for r in rings] == [
        pytest.approx((drawn.nodes[p].left - 2, drawn.nodes[p].top - 2), abs=0.1)
        for p in ("louvre", "pont-neuf")
    ]
    # the part that is shown has both tokens in it, and is not the whole town
    left, top, width, height = map(float, picture.get("viewBox", "").split())
    for place in ("louvre", "pont-neuf"):
        box = drawn.nodes[place]
        assert left < box.left
        assert box.right < left + width
        assert top < box.top
        assert box.bottom < top + height
    assert width < drawn.frame.right - drawn.frame.left
    # where the tokens came from is part of the map, so it is not said again
    assert html.count('class="lx-title"') == 1


def test_a_page_draws_a_map_once(board: Board) -> None:
    sheet = Sheet()
    first = draw_graph(sheet, board, [Mark("louvre", "p1")], "The map")
    second = draw_graph(sheet, board, [Mark("depart", "p1")], "The map")
    assert sheet.symbols().count('<g id="lx-') == 1
    for html in (first, second):
        assert html.count("<use ") == 1
        assert "lx-label" not in html


def test_the_page_of_the_formal_rules_has_the_map_and_a_table_of_neighbours(
    taxifolie: GameSource,
) -> None:
    page = formal_page(taxifolie)
    assert "159 places:" in page
    # the river belongs to the standard set, and other sets have other places
    assert page.count('<polyline class="lx-backdrop"') == 1
    assert re.search(r"\| Louvre \| [^|]*monument \| [^|]*Pont Neuf[^|]* \|", page)


def town(**changes: Any) -> dict[str, Any]:
    """A game made up for one map: two stops north of a river, one south."""
    display = yaml.safe_load(re.findall(
        r'(?ms)^```yaml title="display.yaml"\n(.*?)^```$', (DOCS / "language.md").read_text("utf-8")
    )[0])
    columns = {"x": ("int", [0, 10, 5]), "y": ("int", [0, 0, 9]),
               "next": ("list(Stop)", [["market"], ["old-mill", "inn"], []]),
               "area": ("Area", ["north", "north", "south"])}
    return {
        "components": {"set": "standard"}, "moves": [],
        "kinds": {
            "Area": {"members": ["north", "south"], "columns": {}},
            "Stop": {"members": ["old-mill", "market", "inn"], "columns": {
                c: {"type": t, "values": v} for c, (t, v) in columns.items()}},
        },
        "state": [{"name": "at", "type": "map(player, Stop)"},
                  {"name": "came", "type": "map(player, optional(Stop))"}],
        "text": {"display": {**display, **changes}},
    }


def test_the_example_of_the_guide_fits_the_schema_and_is_drawn() -> None:
    document = town()
    display = document["text"]["display"]
    schema = json.loads((spec_home() / "schemas" / "display.schema.json").read_text("utf-8"))
    assert list(jsonschema.Draft202012Validator(schema).iter_errors(display)) == []
    html = draw(Faces(document), Sheet(), {"at": {"p1": "inn"}, "came": {"p1": "market"}})
    assert parsed(html).findtext(f"{SVG}title") == (
        "The town: p1: inn, south bank; came from market"
    )


def test_a_link_that_only_one_end_names_is_drawn_once() -> None:
    board = board_of(Faces(town()), town()["text"]["display"]["layout"][0])
    assert board
    assert board.links() == [("old-mill", "market"), ("market", "inn")]
    assert board.neighbours("inn") == ["market"]
    picture = parsed(whole_map(board, "The town")[0])
    assert len(list(picture.iter(f"{SVG}line"))) == 2


def test_places_in_one_point_and_far_away_do_not_break_a_drawing() -> None:
    for at in ([3, 3, 3], [-(10**18), 0, 10**18]):
        document = town()
        document["kinds"]["Stop"]["columns"]["x"]["values"] = at
        document["kinds"]["Stop"]["columns"]["y"]["values"] = at
        html = draw(Faces(document), Sheet(), {"at": {"p1": "inn"}, "came": {"p1": None}})
        assert float(parsed(html).get("width", "")) < 3000


def test_a_backdrop_belongs_to_its_set() -> None:
    document = town()
    item = document["text"]["display"]["layout"][0]
    item["backdrop"][0]["set"] = "other"
    assert backdrop_of(Faces(document), item) == []
    item["backdrop"][0]["set"] = "standard"
    assert len(backdrop_of(Faces(document), item)) == 1


def test_hostile_boards_take_bounded_time() -> None:
    # all places in one point, with long names, is the worst case of the search
    many = [f"s{i}" for i in range(250)]
    document = town()
    stop = document["kinds"]["Stop"]
    stop["members"] = many
    stop["columns"] = {"x": {"type": "int", "values": [0] * 250},
                       "y": {"type": "int", "values": [0] * 250},
                       "next": {"type": "list(Stop)", "values": [[m] for m in many[1:] + many[:1]]},
                       "area": {"type": "Area", "values": ["north"] * 250}}
    started = time.monotonic()
    html = draw(Faces(document), Sheet(), {"at": {"p1": "s3"}, "came": {"p1": None}})
    assert time.monotonic() - started < 60
    assert "<svg" in html
    stop["columns"]["next"]["values"] = [many[:12]] * 250
    assert board_of(Faces(document), document["text"]["display"]["layout"][0]) is None
