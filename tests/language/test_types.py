"""Type terms: reading, writing, and what may stand for what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.language.types import (
    ANY,
    BOOL,
    INT,
    NULL,
    PLAYER,
    TEXT,
    Type,
    TypeSyntaxError,
    element,
    fits,
    holds_components,
    list_of,
    loosened,
    mentions_text,
    parse_type,
)

KINDS = ("Card", "Side", "rulings.starter")
CARD, SIDE = Type("kind", name="Card"), Type("kind", name="Side")


def read(text: str) -> Type:
    return parse_type(text, KINDS, ("Pair",))


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("int", INT),
        ("bool", BOOL),
        ("player", PLAYER),
        ("Card", CARD),
        ("Pair", Type("record", name="Pair")),
        ("rulings.starter", Type("kind", name="rulings.starter")),
        ("optional(int)", Type("optional", (INT,))),
        ("deck(Card)", Type("deck", (CARD,))),
        ("list(stack(Card))", Type("list", (Type("stack", (CARD,)),))),
        ("map(Side, list(int))", Type("map", (SIDE, list_of(INT)))),
        ("map( player ,bag(Card) )", Type("map", (PLAYER, Type("bag", (CARD,))))),
        (" slot ( Card ) ", Type("slot", (CARD,))),
    ],
)
def test_reading(text: str, type_: Type) -> None:
    assert read(text) == type_


@pytest.mark.parametrize(
    ("text", "offset", "message"),
    [
        ("", 0, "expected a type, found the end"),
        ("Crad", 0, "expected a type, found 'Crad'"),
        ("list(Crad)", 5, "expected a type, found 'Crad'"),
        ("list()", 5, "expected a type, found ')'"),
        ("list(int", 8, "expected ')' in a type, found the end"),
        ("list int", 5, "expected '(' in a type, found 'int'"),
        ("int)", 3, "expected the end of the type, found ')'"),
        ("int int", 4, "expected the end of the type, found 'int'"),
        ("map(Side)", 0, "map takes 2 type(s), found 1"),
        ("list(int, int)", 0, "list takes 1 type(s), found 2"),
        ("list(deck(int))", 5, "deck holds components of a kind, found int"),
        ("bag(list(Card))", 0, "bag holds components of a kind, found list(Card)"),
        ("map(int, int)", 0, "the key of a map is a kind or player, found int"),
        ("optional(bag(Card))", 0,
         "optional holds a value, not components, found bag(Card)"),
        ("optional(list(stack(Card)))", 0,
         "optional holds a value, not components, found list(stack(Card))"),
        ("null", 0, "expected a type, found 'null'"),
        ("list(any)", 5, "expected a type, found 'any'"),
        ("card", 0, "expected a type, found 'card'"),
        ("list(int,)", 9, "expected a type, found ')'"),
        ("int; drop", 3, "expected the end of the type, found ';'"),
    ],
)
def test_faults_word_for_word(text: str, offset: int, message: str) -> None:
    with pytest.raises(TypeSyntaxError) as caught:
        read(text)
    assert (caught.value.message, caught.value.offset) == (message, offset)


def test_a_fault_knows_what_would_be_right() -> None:
    with pytest.raises(TypeSyntaxError) as caught:
        read("Crad")
    assert {"Card", "Side", "Pair", "int", "player", "list", "deck"} <= set(caught.value.known)


def test_types_of_a_typed_tree_have_two_more() -> None:
    assert parse_type("list(any)", (), inner=True) == list_of(ANY)
    assert parse_type("optional(null)", (), inner=True) == Type("optional", (NULL,))


kinds = st.sampled_from([CARD, SIDE])
zones = st.builds(lambda head, kind: Type(head, (kind,)),
                  st.sampled_from(["deck", "bag", "stack", "slot"]), kinds)
values = st.recursive(
    st.one_of(st.sampled_from([INT, BOOL, PLAYER]), kinds),
    lambda inner: st.one_of(
        inner.map(list_of),
        inner.map(lambda t: Type("optional", (t,))),
        st.builds(lambda key, t: Type("map", (key, t)), st.one_of(st.just(PLAYER), kinds), inner),
    ),
    max_leaves=4,
)
types = st.one_of(values, zones, zones.map(list_of),
                  zones.map(lambda z: Type("map", (PLAYER, z))))


@given(types)
def test_written_and_read_back(type_: Type) -> None:
    assert read(str(type_)) == type_


@given(st.text(alphabet="intlisapoCrd(),. ;\n", max_size=30))
def test_garbage_gives_a_type_or_an_error_inside_the_text(text: str) -> None:
    try:
        found = read(text)
    except TypeSyntaxError as error:
        offset = error.offset
    else:
        assert read(str(found)) == found
        return
    assert 0 <= offset <= len(text)


@pytest.mark.parametrize(
    ("found", "wanted", "answer"),
    [
        ("int", "int", True),
        ("int", "bool", False),
        ("Card", "Side", False),
        ("player", "int", False),
        # an optional value or a slot stands for its element, and the element for it
        ("int", "optional(int)", True),
        ("optional(int)", "int", True),
        ("Card", "slot(Card)", True),
        ("slot(Card)", "Card", True),
        ("slot(Card)", "Side", False),
        ("optional(Card)", "slot(Card)", True),
        # zones that can be looked through are lists, but no list is a zone
        ("bag(Card)", "list(Card)", True),
        ("stack(Card)", "list(Card)", True),
        ("list(Card)", "bag(Card)", False),
        ("bag(Card)", "stack(Card)", False),
        ("deck(Card)", "list(Card)", False),
        ("slot(Card)", "list(Card)", False),
        ("bag(Card)", "list(Side)", False),
        ("list(stack(Card))", "list(list(Card))", True),
        ("list(int)", "list(optional(int))", True),
        ("list(Card)", "Card", False),
        ("map(Side, int)", "map(Side, int)", True),
        ("map(Side, int)", "map(Card, int)", False),
    ],
)
def test_what_fits(found: str, wanted: str, answer: bool) -> None:
    assert fits(read(found), read(wanted)) is answer


def test_null_fits_where_something_may_be_absent() -> None:
    assert fits(NULL, read("optional(int)"))
    assert fits(NULL, read("slot(Card)"))
    assert not fits(NULL, INT)


@given(types)
def test_everything_fits_itself_and_an_optional_of_itself(type_: Type) -> None:
    assert fits(type_, type_)
    assert fits(type_, ANY)
    assert fits(ANY, type_)
    assert fits(type_, Type("optional", (type_,)))


@pytest.mark.parametrize(
    ("text", "item"),
    [("list(int)", "int"), ("bag(Card)", "Card"), ("stack(Card)", "Card"),
     ("list(stack(Card))", "stack(Card)"), ("map(Side, int)", "Side"),
     ("deck(Card)", None), ("slot(Card)", None), ("int", None), ("optional(list(int))", None)],
)
def test_what_is_gone_through(text: str, item: str | None) -> None:
    assert element(read(text)) == (None if item is None else read(item))


@pytest.mark.parametrize(
    ("text", "answer"),
    [("deck(Card)", True), ("bag(Card)", True), ("stack(Card)", True), ("slot(Card)", True),
     ("list(stack(Card))", True), ("map(player, bag(Card))", True), ("list(Card)", False),
     ("Card", False), ("map(Card, int)", False), ("optional(Card)", False)],
)
def test_what_holds_components(text: str, answer: bool) -> None:
    assert holds_components(read(text)) is answer


def test_quoted_names_inside_types() -> None:
    assert mentions_text(list_of(list_of(TEXT)))
    assert not mentions_text(list_of(INT))
    assert loosened(list_of(TEXT)) == list_of(ANY)
    assert loosened(Type("map", (SIDE, TEXT))) == Type("map", (SIDE, ANY))
