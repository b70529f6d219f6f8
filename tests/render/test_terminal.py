"""Drawings: what is in them, what is never in them, and how wide they are."""

from __future__ import annotations

import io
import random
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

import ludex
from ludex.render import Faces, draw
from ludex.render.blocks import count_of

POODLE = ludex.load("poodle-taxi", players=3)
HIDDEN = {"count": 3}


def show(
    document: Any, view: dict[str, Any], seat: str | None = "p1", width: int = 80,
    encoding: str = "utf-8", colour: bool = False,
) -> str:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding, newline="\n")
    console = Console(file=file, width=width, highlight=False, force_terminal=colour,
                      color_system="truecolor" if colour else None,
                      _environ={"TERM": "xterm"})
    console.print(draw(Faces(document, encoding), view, seat))
    file.flush()
    return raw.getvalue().decode(encoding)


def table(**changes: Any) -> dict[str, Any]:
    return {
        "draw_pile": {"count": 20},
        "hand": {"p1": ["green-left", "pink-right", "pink-right"], "p2": HIDDEN, "p3": HIDDEN},
        "row": [["blue-right"], ["red-left", "red-right", "red-left"]],
        "fleas": {"p1": {"count": 0}, "p2": {"count": 1}, "p3": {"count": 12}},
        **changes,
    }


def test_the_whole_table() -> None:
    lines = [line.rstrip() for line in show(POODLE.document, table()).splitlines()]
    assert lines == [
        "The row  Each stack shows its top card and how many cards it holds.",
        "  ╭────╮ ╭────╮",
        "  │ B▶ │ │ R◀ │",
        "  │ x1 │ │ x3 │",
        "  ╰────╯ ╰────╯",
        "Hand",
        "            ╭────╮ ╭────╮ ╭────╮",
        "  p1 (you)  │ G◀ │ │ P▶ │ │ P▶ │",
        "            ╰────╯ ╰────╯ ╰────╯",
        "  p2  3 cards    p3  3 cards",
        "Fleas  Face down. Each card is one negative point.",
        "  p1 (you)  0 cards    p2  1 card    p3  12 cards",
        "Draw pile",
        "  20 cards",
    ]


def test_letters_alone_where_nothing_else_can_be_printed() -> None:
    text = show(POODLE.document, table(), encoding="ascii")
    assert "| B> | | R< |" in text
    assert "+----+" in text


def test_colours_are_those_of_the_display_file() -> None:
    text = show(POODLE.document, table(), colour=True)
    # blue is #2f6bc9 with ink #ffffff
    assert "\x1b[38;2;255;255;255;48;2;47;107;201m│ B▶ │" in text


def test_an_empty_row_says_so() -> None:
    lines = show(POODLE.document, table(row=[])).splitlines()
    assert lines[1].strip() == "empty"


def test_a_number_that_is_not_seen() -> None:
    fleas = {"p1": {"count": 2}, "p2": {"count": None}, "p3": {"count": None}}
    text = show(POODLE.document, table(fleas=fleas), width=120)
    assert "p1 (you)  2 cards" in text
    assert text.count("an unknown number of cards") == 2


@pytest.mark.parametrize("width", [8, 14, 20, 33, 40, 79, 80, 200])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_every_card_is_there_at_any_width(width: int, encoding: str) -> None:
    row = [[f"{c}-left"] for c in ("green", "pink", "red", "blue", "colour-5", "colour-6")]
    text = show(POODLE.document, table(row=row), width=width, encoding=encoding)
    assert max(cell_len(line) for line in text.splitlines()) <= width
    sign = "◀" if encoding == "utf-8" else "<"
    for letter in "GPRB56":
        assert f" {letter}{sign} " in text
    # numbers are wrapped, never cut
    assert "p312cards" in "".join(text.split())


def test_wrapped_rows_keep_their_order() -> None:
    row = [[f"{c}-left"] for c in ("green", "pink", "red", "blue")]
    hand = {"p1": HIDDEN, "p2": HIDDEN, "p3": HIDDEN}
    text = show(POODLE.document, table(row=row, hand=hand), width=20)
    faces = [word for word in text.replace("│", " ").split() if word.endswith("◀")]
    assert faces == ["G◀", "P◀", "R◀", "B◀"]


@pytest.mark.parametrize("seed", range(5))
def test_cards_that_are_not_seen_are_not_drawn(seed: int) -> None:
    choose = random.Random(seed)
    state = POODLE.initial_state(ludex.Seeded(seed))
    for _ in range(seed * 5):
        state.apply_action(choose.choice(state.legal_actions()), ludex.Seeded(seed))
    drawn = show(POODLE.document, state.observation("p2"), "p2")
    whole = state.table()
    # one arrow for each stack of the row and each card of the own hand, and no other
    assert drawn.count("◀") + drawn.count("▶") == len(whole["row"]) + len(whole["hand"]["p2"])


def plain(variables: dict[str, str], view: dict[str, Any], **display: Any) -> list[str]:
    document = {
        "kinds": {
            "City": {"members": ["rome", "oslo"], "columns": {}},
            "GoldCard": {"members": ["a", "b"],
                         "columns": {"worth": {"type": "int", "values": [1, 2]}}},
        },
        "state": [{"name": n, "type": t} for n, t in variables.items()],
        "moves": [],
        "text": {"display": display},
    }
    return [line.rstrip() for line in show(document, view).splitlines()]


@pytest.mark.parametrize(
    ("type_", "value", "words"),
    [
        ("int", 7, ["7"]),
        ("bool", False, ["no"]),
        ("player", "p2", ["p2"]),
        ("optional(City)", None, ["nothing"]),
        ("slot(GoldCard)", None, ["empty"]),
        ("slot(GoldCard)", "a", ["a"]),
        ("bag(GoldCard)", ["a", "a", "b"], [" a x2  b"]),
        ("stack(GoldCard)", ["b", "a"], [" b   a   (top first)"]),
        ("deck(GoldCard)", {"count": 1}, ["1 gold card"]),
        ("bag(City)", {"count": 2}, ["2 cities"]),
        ("int", {"hidden": True}, ["hidden"]),
        ("list(int)", [3, 4], ["3, 4"]),
        ("list(stack(GoldCard))", [["a"], []], ["1   a   (top first)", "2  empty"]),
        ("list(list(int))", [[1, 2], [3]], ["1  1, 2", "2  3"]),
        ("map(City, int)", {"rome": 2, "oslo": 0}, ["rome  2", "oslo  0"]),
        ("map(City, slot(GoldCard))", {"rome": None, "oslo": "b"}, ["rome  empty", "oslo  b"]),
        ("map(player, int)", {"p1": 4, "p2": 6}, ["p1 (you)  4    p2  6"]),
        ("map(player, map(City, int))", {"p1": {"rome": 1, "oslo": 2}},
         ["p1 (you)  rome  1", "          oslo  2"]),
        ("Unheard(of)", {"x": [1]}, ['{"x": [1]}']),
    ],
)
def test_without_a_display_file_all_is_drawn(type_: str, value: Any, words: list[str]) -> None:
    lines = plain({"thing": type_}, {"thing": value})
    assert lines[0] == "thing"
    assert [line[2:] for line in lines[1:]] == words


FORMS = ["row", "pile", "hand", "path", "grid", "graph", "track", "counter", "marker"]
VALUES: list[tuple[str, Any]] = [
    ("int", 3), ("bool", True), ("City", "rome"), ("slot(GoldCard)", None),
    ("slot(GoldCard)", "a"), ("bag(GoldCard)", ["a"]), ("bag(GoldCard)", {"count": None}),
    ("stack(GoldCard)", ["a", "b"]), ("list(stack(GoldCard))", [["a", "b"]]),
    ("list(stack(GoldCard))", {"count": 4}), ("map(City, list(GoldCard))", {"rome": ["a"]}),
    ("map(player, int)", {"p1": 5}), ("list(list(int))", [[1]]), ("deck(GoldCard)", []),
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("type_", "value"), VALUES)
def test_every_form_takes_every_value(form: str, type_: str, value: Any) -> None:
    item = {"zone": "thing", "as": form, "title": "A thing", "places": {"kind": "City"},
            "range": {"from": 0, "to": 5}}
    lines = plain({"thing": type_}, {"thing": value}, layout=[item])
    assert lines[0] == "A thing"
    assert "".join(lines[1:]).strip()


def test_track_and_counter() -> None:
    track = {"zone": "n", "as": "track", "title": "N", "range": {"from": 0, "to": 4}}
    assert plain({"n": "int"}, {"n": 3}, layout=[track])[1] == "   0  1  2 [3] 4"
    # outside its range, and too long for a line: a number
    assert plain({"n": "int"}, {"n": 9}, layout=[track])[1] == "  9  (0 to 4)"
    track["range"] = {"from": 0, "to": 10**9}
    assert plain({"n": "int"}, {"n": 9}, layout=[track])[1] == "  9  (0 to 1000000000)"


def test_a_layout_leaves_nothing_out() -> None:
    item = {"zone": "n", "as": "counter", "title": "N"}
    lines = plain({"m": "int", "n": "int"}, {"m": 1, "n": 2}, layout=[item])
    assert lines == ["N", "  2", "m", "  1"]


def test_titles_are_no_markup() -> None:
    item = {"zone": "n", "as": "counter", "title": "[red]N[/red]", "note": "[bold]\x1b[2J"}
    lines = plain({"n": "int"}, {"n": 2}, layout=[item])
    assert lines[0] == "[red]N[/red]  [bold]?[2J"


def test_words_for_counts() -> None:
    assert count_of(1, "Card") == "1 card"
    assert count_of(0, "City") == "0 cities"
    assert count_of(2, "Box") == "2 boxes"
    assert count_of(2, "") == "2 pieces"
    assert count_of(2, "AnimalKey") == "2 animal keys"


def test_a_path_of_two_arms_is_drawn_from_end_to_end() -> None:
    variables = {"arm": "map(player, map(City, stack(GoldCard)))",
                 "home": "map(player, slot(City))"}
    # outermost on top: the last card of the second arm lies next to the middle
    view = {"arm": {"p1": {"rome": ["a", "b"], "oslo": ["b", "a"]}}, "home": {"p1": "rome"}}
    item = {"zone": "arm", "as": "path", "middle": "home", "title": "Way"}
    lines = plain(variables, view, layout=[item])
    assert lines[2].split("│")[1::2] == ["  a   ", "  b   ", " rome ", "  a   ", "  b   "]
    without = plain(variables, view, layout=[{"zone": "arm", "as": "path", "title": "Way"}])
    assert without[2].split("│")[1::2] == [" a ", " b ", " a ", " b "]
    # nothing lies in the middle yet
    empty = plain(variables, {**view, "home": {"p1": None}}, layout=[item])
    assert empty[2] == without[2]
