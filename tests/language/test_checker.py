"""The checker: names, types, typed trees, and what is said of faults."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.language.checker import ExpressionError, Names, Scope, check_expression, plain
from ludex.language.types import BOOL, INT, PLAYER, Type, list_of, parse_type

KINDS = {"Colour": ["blue", "red"], "Side": ["left", "right"], "Card": ["blue-one", "red-two"]}
RECORDS = ("Pair",)


def type_(text: str) -> Type:
    return parse_type(text, KINDS, RECORDS)


def types(**texts: str) -> dict[str, Type]:
    return {name: type_(text) for name, text in texts.items()}


NAMES = Names(
    kinds=KINDS,
    columns={"Card": types(colour="Colour", points="int", next="optional(Card)")},
    records={"Pair": types(left="int", right="optional(Card)")},
    state=types(pile="deck(Card)", hand="map(player, bag(Card))", row="list(stack(Card))",
                turn="player", place="slot(Card)", score="map(Colour, int)",
                maybe="optional(int)", xs="list(int)", pair="Pair", top_card="Card"),
    constants=types(limit="int"),
    functions={"worth": (types(card="Card", twice="bool"), INT), "anybody": ({}, PLAYER)},
    rulings={"starter": ["table", "first"]},
    options={"short": BOOL},
    players=3,
    below=["later"],
)
LOCALS = types(card="Card", actor="player", at="int")


def check(text: str, wanted: str | None = None) -> dict[str, Any]:
    scope = Scope(NAMES, dict(LOCALS))
    tree: dict[str, Any] = plain(
        check_expression(text, scope, None if wanted is None else type_(wanted))
    )
    return tree


def bare(tree: Any) -> Any:
    """Leave types and spans out of a typed tree."""
    if isinstance(tree, dict):
        return {k: bare(v) for k, v in tree.items() if k not in ("type", "span")}
    return [bare(v) for v in tree] if isinstance(tree, list) else tree


CARD: dict[str, Any] = {"get": "local", "name": "card"}
TURN = {"get": "state", "name": "turn"}
ONE = {"lit": 1}

FORMS: list[tuple[str, str, Any]] = [
    ("1", "int", ONE),
    ("true", "bool", {"lit": True}),
    ("null", "null", {"lit": None}),
    ("turn", "player", TURN),
    ("card", "Card", CARD),
    ("limit", "int", {"get": "constant", "name": "limit"}),
    ("Colour", "list(Colour)", {"all": "Colour"}),
    ("players", "list(player)", {"get": "players"}),
    ("n_players", "int", {"get": "n_players"}),
    ("rulings.starter", "rulings.starter", {"get": "ruling", "name": "starter"}),
    ("options.short", "bool", {"get": "option", "name": "short"}),
    ("card.points", "int", {"attr": "points", "of": CARD}),
    ("card.next.points", "int", {"attr": "points", "of": {"attr": "next", "of": CARD}}),
    ("place.colour", "Colour",
     {"attr": "colour", "of": {"get": "state", "name": "place"}}),
    ("pair.left", "int", {"field": "left", "of": {"get": "state", "name": "pair"}}),
    ("hand[turn]", "bag(Card)", {"key": TURN, "of": {"get": "state", "name": "hand"}}),
    ("xs[1]", "int", {"op": "index", "args": [{"get": "state", "name": "xs"}, ONE]}),
    ("row[1]", "stack(Card)", {"op": "index", "args": [{"get": "state", "name": "row"}, ONE]}),
    ("-at", "int", {"op": "negate", "args": [{"get": "local", "name": "at"}]}),
    ("1 + 1", "int", {"op": "+", "args": [ONE, ONE]}),
    ("xs + xs", "list(int)", {"op": "concat", "args": [{"get": "state", "name": "xs"}] * 2}),
    ("size(pile)", "int", {"op": "size.deck", "args": [{"get": "state", "name": "pile"}]}),
    ("pile.size()", "int", {"op": "size.deck", "args": [{"get": "state", "name": "pile"}]}),
    ("worth(card, true)", "int", {"call": "worth", "args": [CARD, {"lit": True}]}),
    ("card.worth(true)", "int", {"call": "worth", "args": [CARD, {"lit": True}]}),
    ("anybody()", "player", {"call": "anybody", "args": []}),
    ("xs.exists(x, x == 1)", "bool",
     {"macro": "exists", "over": {"get": "state", "name": "xs"}, "as": "x",
      "body": {"op": "==", "args": [{"get": "local", "name": "x"}, ONE]}}),
    ("true ? 1 : at", "int",
     {"if": [{"lit": True}, ONE, {"get": "local", "name": "at"}]}),
    ("[1, 1]", "list(int)", {"list": [ONE, ONE]}),
    ("Pair{right: null, left: 1}", "Pair",
     {"record": "Pair", "fields": {"left": ONE, "right": {"lit": None}}}),
]


@pytest.mark.parametrize(("text", "type_text", "tree"), FORMS)
def test_each_form(text: str, type_text: str, tree: Any) -> None:
    found = check(text)
    assert bare(found) == tree
    assert found["type"] == type_text
    assert found["span"] == [0, len(text)]


@pytest.mark.parametrize(
    ("text", "type_text"),
    [
        ("[]", "list(any)"),
        ("[] + [1]", "list(int)"),
        ("top(row)", "stack(Card)"),
        ("top(top(row))", "Card"),
        ("row[0].map(c, c.colour)", "list(Colour)"),
        ("row.flat_map(s, s)", "list(Card)"),
        ("players.flat_map(p, hand[p])", "list(Card)"),
        ("hand[turn].filter(c, c.points > 1)", "list(Card)"),
        ("players.first(p, size(hand[p]) == 0)", "optional(player)"),
        ("row[0].first(c, true).or(card)", "Card"),
        ("score.map(c, score[c])", "list(int)"),
        ("score.filter(c, c == 'red')", "list(Colour)"),
        ("true ? null : 1", "optional(int)"),
        ("true ? place : null", "slot(Card)"),
        ("true ? place : card", "slot(Card)"),
        ("true ? [] : [1]", "list(int)"),
        ("slice(hand[turn], 0, 1)", "list(Card)"),
        ("seats_after(turn)", "list(player)"),
        ("true ? card : place", "slot(Card)"),
        ("range(3) + [at]", "list(int)"),
        ("hand[turn] + row[0]", "list(Card)"),
        ("xs.map(x, [x])", "list(list(int))"),
    ],
)
def test_types_of_parts(text: str, type_text: str) -> None:
    assert check(text)["type"] == type_text


@pytest.mark.parametrize(
    ("text", "member", "kind"),
    [
        ("card.colour == 'red'", "red", "Colour"),
        ("'red' == card.colour", "red", "Colour"),
        ("'red' != card.colour", "red", "Colour"),
        ("'left' in Side", "left", "Side"),
        ("turn in ['p2']", "p2", "player"),
        ("turn == \"p3\"", "p3", "player"),
        ("rulings.starter == 'first'", "first", "rulings.starter"),
        ("score['blue']", "blue", "Colour"),
        ("hand['p1']", "p1", "player"),
        ("next_player('p1')", "p1", "player"),
        ("worth('red-two', true)", "red-two", "Card"),
        ("copies(pile, 'red-two')", "red-two", "Card"),
        ("place == 'red-two'", "red-two", "Card"),
        ("place.or('red-two')", "red-two", "Card"),
        ("(true ? 'red' : card.colour) == card.colour", "red", "Colour"),
        ("true ? card.colour : 'red'", "red", "Colour"),
        ("Side == ['left', 'right']", "left", "Side"),
        ("['left'] + Side", "left", "Side"),
        ("[['left']] == [Side]", "left", "Side"),
        ("[card.colour, 'red']", "red", "Colour"),
    ],
)
def test_a_quoted_name_takes_its_kind_from_the_other_side(
    text: str, member: str, kind: str
) -> None:
    found = [t for t in literals(check(text)) if t["lit"] == member]
    assert [t["type"] for t in found] == [kind]


def literals(tree: Any) -> list[dict[str, Any]]:
    if isinstance(tree, list):
        return [t for item in tree for t in literals(item)]
    if not isinstance(tree, dict):
        return []
    if "lit" in tree:
        return [tree]
    return [t for v in tree.values() for t in literals(v)]


@pytest.mark.parametrize(
    ("text", "wanted", "kind"),
    [("'red'", "Colour", "Colour"), ("['p1', 'p2']", "list(player)", "player"),
     ("'red'", "optional(Colour)", "Colour"), ("'red-two'", "slot(Card)", "Card"),
     ("at > 1 ? 'red' : 'blue'", "Colour", "Colour"),
     ("at > 1 ? ['red'] : []", "list(Colour)", "Colour")],
)
def test_a_quoted_name_takes_its_kind_from_its_place(text: str, wanted: str, kind: str) -> None:
    quoted = [t for t in literals(check(text, wanted)) if isinstance(t["lit"], str)]
    assert {t["type"] for t in quoted} == {kind}


FAULTS = [
    # text, wanted, code, offset, message, hint
    ("a ==", None, "syntax", 4, "expected a value, found the end", None),
    ("1 == trun", None, "unknown-name", 5, "unknown name 'trun'", "did you mean 'turn'?"),
    ("zzz", None, "unknown-name", 0, "unknown name 'zzz'", None),
    ("worth", None, "unknown-name", 0, "unknown name 'worth'",
     "worth is a function: write worth(...)"),
    ("rulings", None, "unknown-name", 0, "unknown name 'rulings'", "did you mean 'rulings'?"),
    ("rulings.stater", None, "unknown-ruling", 0, "unknown ruling 'stater'",
     "did you mean 'starter'?"),
    ("options.shrt", None, "unknown-option", 0, "unknown option 'shrt'", "did you mean 'short'?"),
    ("card.colr == 'red'", None, "unknown-field", 0, "Card has no field 'colr'",
     "did you mean 'colour'?"),
    ("pair.lft", None, "unknown-field", 0, "Pair has no field 'lft'", "did you mean 'left'?"),
    ("turn.name", None, "type", 0, "player has no fields, found .name", None),
    ("[].name", None, "type", 0, "an empty list has no fields, found .name", None),
    ("1 == (turn[0])", None, "type", 5, "expected a map, a list or a stack before '[', "
     "found player", None),
    ("hand[turn][0]", None, "type", 0,
     "expected a map, a list or a stack before '[', found bag(Card)", None),
    ("xs[turn]", None, "type", 3, "expected int, found player", None),
    ("score['rot']", None, "member", 6, "expected a member of Colour, found 'rot'",
     "its members are blue, red"),
    ("score['rad']", None, "member", 6, "expected a member of Colour, found 'rad'",
     "did you mean 'red'?"),
    ("turn == 'p4'", None, "member", 8, "expected a player, found 'p4'",
     "those who are in every game are p1, p2, p3"),
    ("card.colour == 'grene'", None, "member", 15, "expected a member of Colour, found 'grene'",
     "its members are blue, red"),
    ("'red'", None, "type", 0, "cannot tell which kind a quoted name belongs to",
     "compare it with, or pass it where, a kind is known"),
    ("'red' == 'red'", None, "type", 0, "cannot tell which kind a quoted name belongs to",
     "compare it with, or pass it where, a kind is known"),
    ("['red'].map(x, x)", None, "type", 15, "cannot tell which kind a quoted name belongs to",
     "compare it with, or pass it where, a kind is known"),
    ("1 == 'red'", None, "type", 5, "expected int, found a quoted name", None),
    ("size(xs)", "bool", "type", 0, "expected bool, found int",
     "compare it with a number"),
    ("[]", "player", "type", 0, "expected player, found an empty list", None),
    ("null", "int", "type", 0, "expected int, found null", None),
    ("turn == card", None, "type", 0, "cannot compare player and Card", None),
    ("xs == ['red']", None, "type", 7, "expected int, found a quoted name", None),
    ("null == 1", None, "type", 0, "cannot compare null and int", None),
    ("1 == null", None, "type", 0, "cannot compare int and null", None),
    ("[null, 1]", None, "type", 1, "expected int, found null", None),
    ("1 && true", None, "type", 0, "&& takes bool and bool, found int and bool", None),
    ("!1", None, "type", 0, "! takes bool, found int", None),
    ("1 + true", None, "type", 0, "+ takes int and int or list(...) and list(...), "
     "found int and bool", None),
    ("1 in 2", None, "type", 0, "in takes anything and list(...), found int and int", None),
    ("size(1)", None, "type", 0, "size takes deck(...) or slot(...) or list(...), found int",
     None),
    ("size()", None, "arguments", 0, "size takes 1 argument(s), found 0", None),
    ("min(1, 2, 3)", None, "arguments", 0, "min takes 1 or 2 argument(s), found 3", None),
    ("worth(card)", None, "arguments", 0, "worth takes (card: Card, twice: bool), found 1 "
     "argument(s)", None),
    ("anybody(1)", None, "arguments", 0, "anybody takes (nothing), found 1 argument(s)", None),
    ("worth(card, 1)", None, "type", 12, "expected bool, found int",
     "compare it with a number"),
    ("wrth(card, true)", None, "unknown-function", 0, "unknown function 'wrth'",
     "did you mean 'worth'?"),
    ("later(1)", None, "unknown-function", 0, "unknown function 'later'",
     "a function sees only those above it"),
    ("exists(xs, x, true)", None, "unknown-function", 0, "unknown function 'exists'", None),
    ("xs.exists(x)", None, "arguments", 0,
     "exists needs a name and an expression: list.exists(x, ...)", None),
    ("xs.exists(1, true)", None, "type", 10, "expected a name for the elements: exists(x, ...)",
     None),
    ("xs.all(card, true)", None, "hides", 7, "'card' hides another name", "choose another name"),
    ("xs.all(turn, true)", None, "hides", 7, "'turn' hides another name", "choose another name"),
    ("xs.all(x, x)", None, "type", 10, "expected bool, found int",
     "compare it with a number"),
    ("xs.sum(x, true)", None, "type", 10, "expected int, found bool", None),
    ("xs.flat_map(x, x)", None, "type", 15, "expected a list, found int", None),
    ("pile.all(c, true)", None, "type", 0, "cannot go through deck(Card)", None),
    ("xs.all(x, true) && x", None, "unknown-name", 19, "unknown name 'x'", "did you mean 'xs'?"),
    ("1 ? 2 : 3", None, "type", 0, "expected bool, found int",
     "compare it with a number"),
    ("true ? 2 : turn", None, "type", 0, "the two results differ: int and player", None),
    ("[1, turn]", None, "type", 4, "expected int, found player", None),
    ("Pear{left: 1}", None, "unknown-name", 0, "unknown record 'Pear'", "did you mean 'Pair'?"),
    ("Pair{left: 1}", None, "type", 0, "Pair needs the field(s) right", None),
    ("Pair{left: 1, rigt: card}", None, "unknown-field", 0, "Pair has no field 'rigt'",
     "did you mean 'right'?"),
    ("Pair{left: true, right: null}", None, "type", 11, "expected int, found bool", None),
]


@pytest.mark.parametrize(("text", "wanted", "code", "offset", "message", "hint"), FAULTS)
def test_faults_word_for_word(
    text: str, wanted: str | None, code: str, offset: int, message: str, hint: str | None
) -> None:
    with pytest.raises(ExpressionError) as caught:
        check(text, wanted)
    error = caught.value
    assert (error.message, error.code, error.offset, error.hint) == (
        message, f"expression.{code}", offset, hint
    )


def test_a_local_goes_before_a_variable_and_ends_with_its_macro() -> None:
    scope = Scope(NAMES, {"turn": INT})
    assert plain(check_expression("turn", scope)) == {
        "get": "local", "name": "turn", "type": "int", "span": [0, 4]
    }
    inner = scope.inner({"more": BOOL})
    assert "more" in inner.locals
    assert "more" not in scope.locals


def test_long_texts_are_refused_before_they_are_deep() -> None:
    with pytest.raises(ExpressionError) as caught:
        check("+".join(["1"] * 1000))
    assert caught.value.code == "expression.depth"
    assert caught.value.message == "an expression nests at most 80 deep"


def test_a_node_is_not_checked_again_and_again() -> None:
    # each level gives a quoted name its kind from the other side: twice, if done without care
    text = "true"
    for _ in range(25):
        text = f"({text} ? 'blue' : 'red') in Colour"
    assert check(text)["type"] == "bool"


PIECES = ["xs", "card", "turn", "hand", "row", "Side", "1", "'red'", "true", "null", "[]", "(",
          ")", "[", "]", ".", ",", "?", ":", "+", "==", "&&", "!", " in ", ".map(x, ", ".colour",
          "size(", "top(", "first", "x", "Pair{left: ", "}", "rulings.", "worth("]


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join), st.sampled_from(
    [None, INT, BOOL, PLAYER, list_of(PLAYER)]))
def test_garbage_gives_a_tree_or_an_error_inside_the_text(text: str, wanted: Type | None) -> None:
    try:
        tree = check_expression(text, Scope(NAMES, dict(LOCALS)), wanted)
    except ExpressionError as error:
        found = error
    else:
        # every type in the tree can be read back, as the engine does
        for text_ in type_texts(plain(tree)):
            parse_type(text_, [*KINDS, "rulings.starter"], RECORDS, inner=True)
        return
    assert 0 <= found.offset <= len(text)
    assert found.code.startswith("expression.")


def type_texts(tree: Any) -> list[str]:
    if isinstance(tree, list):
        return [t for item in tree for t in type_texts(item)]
    if not isinstance(tree, dict):
        return []
    own = [tree["type"]] if "type" in tree else []
    return own + [t for v in tree.values() for t in type_texts(v)]
