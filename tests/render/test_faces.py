"""Templates, looks and words."""

from __future__ import annotations

from typing import Any

import pytest

import ludex
from ludex.render import Faces
from ludex.render.faces import clean, fill_in

POODLE = ludex.load("poodle-taxi").document


def document(**display: Any) -> dict[str, Any]:
    """A document with what faces read, and nothing else."""
    return {
        "kinds": {
            "Colour": {"members": ["red", "blue"], "columns": {}},
            "Tile": {
                "members": ["t1", "t2"],
                "columns": {
                    "colour": {"type": "Colour", "values": ["red", "blue"]},
                    "worth": {"type": "int", "values": [3, 5]},
                    "tags": {"type": "list(Colour)", "values": [["red", "blue"], []]},
                    "twin": {"type": "Tile", "values": ["t2", "t1"]},
                    "mark": {"type": "optional(Colour)", "values": [None, "red"]},
                },
            },
        },
        "state": [],
        "moves": [
            {"name": "put", "title": "Put a tile",
             "params": [{"name": "tile", "type": "Tile"}, {"name": "at", "type": "int"}]},
            {"name": "stop", "title": "Stop", "params": []},
        ],
        "text": {"display": display},
    }


def test_a_card_of_the_display_file() -> None:
    look = Faces(POODLE).look("Card", "green-left")
    assert look.short == "G◀"
    assert look.title == "green, arrow left"
    assert (look.fill, look.ink) == ("#1f8043", "#ffffff")
    assert look.drawn


def test_a_terminal_without_the_symbol_gets_the_letters() -> None:
    assert Faces(POODLE, "ascii").look("Card", "green-left").short == "G<"
    assert Faces(POODLE, "ascii").look("Card", "pink-right").short == "P>"


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ({"move": "start", "args": {"card": "red-left"}},
         "start the row with red, arrow left"),
        ({"move": "extend", "args": {"card": "colour-5-right", "end": "right"}},
         "place colour 5, arrow right at the right end"),
        ({"move": "cover", "args": {"card": "blue-left"}},
         "place blue, arrow left on the blue stack"),
    ],
)
def test_moves_in_words(move: dict[str, Any], words: str) -> None:
    assert Faces(POODLE).move({"actor": "p1", **move}) == words


def test_moves_without_a_text_are_their_title_and_arguments() -> None:
    faces = Faces(document())
    assert faces.move({"actor": "p1", "move": "put", "args": {"tile": "t1", "at": 4}}) == (
        "Put a tile: tile t1, at 4"
    )
    assert faces.move({"actor": "p1", "move": "stop", "args": {}}) == "Stop"


def test_without_display_a_component_is_its_id() -> None:
    look = Faces(document()).look("Tile", "t1")
    assert (look.short, look.title, look.symbol) == ("t1", "t1", "t1")
    assert (look.fill, look.ink, look.drawn) == (None, None, False)


@pytest.mark.parametrize(
    ("template", "title"),
    [
        ("{worth} points", "3 points"),
        ("{colour}", "red"),
        ("{tags}", "red, blue"),
        ("{mark}", "nothing"),
        ("{twin.worth}", "5"),
        ("{twin.colour.title}", "blue"),
        ("{id}", "t1"),
        ("{twin.id}/{twin.twin.id}", "t2/t1"),
    ],
)
def test_columns_in_a_face(template: str, title: str) -> None:
    faces = Faces(document(faces={"Tile": {"short": "x", "title": template}}))
    assert faces.look("Tile", "t1").title == title


@pytest.mark.parametrize(
    "template",
    [
        "{x.__class__}", "{colour.__class__}", "{colour.__init__.__globals__}", "{colour!r}",
        "{colour:>1000000000}", "{0}", "{}", "{{colour}", "{colour[0]}", "{colour.title.upper}",
        "{worth.real}", "{worth.__class__}", "{tags.append}", "{twin.members}", "{self}", "%s",
        "${colour}x{none}", "{colour.}", "{mark.title}",
    ],
)
def test_what_is_no_name_of_the_game_does_nothing(template: str) -> None:
    faces = Faces(document(faces={"Tile": {"short": "x", "title": template}}))
    # two of them hold a right name beside the wrong one
    expected = {"{{colour}": "{red", "${colour}x{none}": "$redx{none}"}.get(template, template)
    assert faces.look("Tile", "t1").title == expected


@pytest.mark.parametrize("template", ["{actor.__class__}", "{tile.__class__}", "{at.real}", "{m}"])
def test_what_is_no_argument_does_nothing(template: str) -> None:
    faces = Faces(document(moves={"put": template}))
    move = {"actor": "p1", "move": "put", "args": {"tile": "t1", "at": 4}}
    assert faces.move(move) == template


def test_a_text_that_was_put_in_is_not_read_again() -> None:
    assert fill_in("{a}", lambda name: "{b}" if name == ["a"] else "wrong") == "{b}"


def test_faces_in_a_circle_end() -> None:
    # the twin of t1 is t2 and the other way round
    faces = Faces(document(faces={"Tile": {"short": "x", "title": "{id} of {twin.title}"}}))
    title = faces.look("Tile", "t1").title
    assert title.startswith("t1 of t2 of t1")
    assert len(title) < 60


def test_only_colours_are_colours() -> None:
    for wrong in ("red on blue", "{worth}", "#12345", "#1234567", "{colour.fill}"):
        face = {"short": "x", "title": "x", "fill": wrong, "ink": wrong}
        look = Faces(document(faces={"Tile": face})).look("Tile", "t1")
        assert (look.fill, look.ink) == (None, None)


def test_texts_cannot_steer_the_terminal() -> None:
    assert clean("a\x1b[2Jb\r\nc") == "a?[2Jb??c"
    faces = Faces(document(faces={"Tile": {"short": "\x1b[31m", "title": "\x07"}}))
    assert "\x1b" not in faces.look("Tile", "t1").short
    assert faces.look("Tile", "t1").title == "?"


def test_values_in_words() -> None:
    faces = Faces(document(members={"Colour": {"red": {"short": "R", "title": "ruby"}}}))
    for value, type_, words in (
        (7, "int", "7"), (True, "bool", "yes"), (None, "optional(int)", "nothing"),
        ("red", "Colour", "ruby"), ("blue", "Colour", "blue"), ("p2", "player", "p2"),
        (["red", "blue"], "list(Colour)", "ruby, blue"), ([], "list(int)", "nothing"),
        ({"red": 1, "blue": 0}, "map(Colour, int)", "ruby: 1, blue: 0"),
        ({"a": 1}, "Strange(", '{"a": 1}'),
    ):
        assert faces.text(value, faces.type(type_)) == words


def test_an_argument_that_is_not_there_leaves_no_gap() -> None:
    doc = document(moves={"put": "put {tile}, {at}", "stop": "stop"})
    doc["moves"][0]["params"][1]["when"] = {"expr": "false"}
    faces = Faces(doc)
    assert faces.move({"actor": "p1", "move": "put", "args": {"tile": "t1"}}) == "put t1"
    assert faces.move({"actor": "p1", "move": "put", "args": {"tile": "t1", "at": 4}}) == (
        "put t1, 4"
    )
