"""The operator table: every template against plain Python, and every entry used in a text."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ludex.engine.runtime import FAULTS, NAMES, RuleFault
from ludex.engine.templates import expression, name
from ludex.language.checker import Names, Scope, check_expression
from ludex.language.operators import MACROS, OPERATORS, OVERLOADS
from ludex.language.types import BOOL, INT, Type, list_of

numbers = st.integers(-50, 50)
small = st.integers(0, 3)
lists = st.lists(small, max_size=8)


def function(template: str, params: list[str]) -> Callable[..., Any]:
    """Return a template as a Python function of its placeholders."""
    node = expression(template, **{f"_{p}": name(p) for p in params})
    code = ast.Expression(ast.fix_missing_locations(ast.Expression(node)).body)
    text = f"lambda {', '.join(params)}: {ast.unparse(code)}"
    return eval(text, dict(NAMES))  # type: ignore[no-any-return]


def operator(identifier: str) -> Callable[..., Any]:
    count = len(OPERATORS[identifier].params)
    return function(OPERATORS[identifier].python, [*"abc"[:count], "n"])


def truncated(a: int, b: int) -> int:
    """Divide toward zero, without a float."""
    quotient = 0
    while (quotient + 1) * abs(b) <= abs(a):
        quotient += 1
    return quotient if (a >= 0) == (b >= 0) else -quotient


NUMBERS: dict[str, Callable[[int, int], Any]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: b - a > 0,
    "<=": lambda a, b: b - a >= 0,
    ">": lambda a, b: a - b > 0,
    ">=": lambda a, b: a - b >= 0,
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "min.2": lambda a, b: sorted([a, b])[0],
    "max.2": lambda a, b: sorted([a, b])[1],
}


@pytest.mark.parametrize("identifier", NUMBERS)
@given(a=numbers, b=numbers)
def test_numbers(identifier: str, a: int, b: int) -> None:
    assert operator(identifier)(a, b, 2) == NUMBERS[identifier](a, b)


@given(numbers, numbers)
def test_division_rounds_toward_zero(a: int, b: int) -> None:
    assume(b != 0)
    quotient, rest = operator("/")(a, b, 2), operator("%")(a, b, 2)
    assert quotient == truncated(a, b)
    assert quotient * b + rest == a
    assert abs(rest) < abs(b)
    assert rest == 0 or (rest > 0) == (a > 0)


@pytest.mark.parametrize("identifier", ["/", "%"])
def test_division_by_zero(identifier: str) -> None:
    with pytest.raises(RuleFault, match="division by zero"):
        operator(identifier)(1, 0, 2)


@given(numbers)
def test_one_number(a: int) -> None:
    assert operator("negate")(a, 2) + a == 0
    assert operator("abs")(a, 2) == (a if a > 0 else -a)


@given(st.booleans(), st.booleans())
def test_truth(a: bool, b: bool) -> None:
    assert operator("&&")(a, b, 2) is all([a, b])
    assert operator("||")(a, b, 2) is any([a, b])
    assert operator("!")(a, 2) is [True, False][a]


@given(lists, small)
def test_lists(a: list[int], x: int) -> None:
    hits = [y for y in a if y == x]
    assert operator("in")(x, a, 2) == (hits != [])
    for identifier in ("copies", "copies.deck"):
        assert operator(identifier)(a, x, 2) == len(hits)
    for identifier in ("size", "size.deck"):
        assert operator(identifier)(a, 2) == sum(1 for _ in a)
    assert operator("sum")(a, 2) == 0 * x + sum(i * a.count(i) for i in range(4))
    once = operator("distinct")(a, 2)
    assert set(once) == set(a)
    assert len(once) == len(set(a))
    assert once == sorted(once, key=a.index)


@given(lists, lists)
def test_concat_makes_a_new_list(a: list[int], b: list[int]) -> None:
    found = operator("concat")(a, b, 2)
    assert found[: len(a)] == a
    assert found[len(a) :] == b
    assert found is not a
    assert found is not b


@given(st.lists(st.lists(small, max_size=2), max_size=5))
def test_distinct_lists_of_lists(a: list[list[int]]) -> None:
    once = operator("distinct")(a, 2)
    assert all(x in once for x in a)
    assert all(once.count(x) == 1 for x in once)


@given(lists)
def test_ends_of_a_list(a: list[int]) -> None:
    if not a:
        for identifier in ("top", "bottom", "min", "max"):
            with pytest.raises(FAULTS):
                operator(identifier)(a, 2)
        return
    assert operator("bottom")(a, 2) == a[0]
    assert operator("top")(a, 2) == a[len(a) - 1]
    assert operator("min")(a, 2) == sorted(a)[0]
    assert operator("max")(a, 2) == sorted(a)[len(a) - 1]


@given(lists, st.integers(-9, 9))
def test_index_is_checked_and_never_negative(a: list[int], i: int) -> None:
    if 0 <= i < len(a):
        assert operator("index")(a, i, 2) == a[i]
    else:
        with pytest.raises(RuleFault, match=f"position {i} of a list of {len(a)}"):
            operator("index")(a, i, 2)


@given(lists, st.integers(-3, 9), st.integers(-3, 9))
def test_slice_is_checked(a: list[int], start: int, end: int) -> None:
    if 0 <= start <= end <= len(a):
        assert operator("slice")(a, start, end, 2) == [a[i] for i in range(start, end)]
    else:
        with pytest.raises(RuleFault, match=f"positions {start} to {end} of a list of {len(a)}"):
            operator("slice")(a, start, end, 2)


@given(st.integers(-2, 9))
def test_range_counts_from_zero(a: int) -> None:
    found = list(operator("range")(a, 2))
    assert found == [i for i in range(10) if i < a]


@given(st.one_of(st.none(), small), small)
def test_absent_values(value: int | None, other: int) -> None:
    assert operator("or")(value, other, 2) == (value if value is not None else other)
    assert operator("size.slot")(value, 2) == (0 if value is None else 1)


@given(st.integers(1, 6).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 1))))
def test_players(pair: tuple[int, int]) -> None:
    count, player = pair
    after = operator("next_player")(player, count)
    assert after == (0 if player == count - 1 else player + 1)
    round_ = [player]
    while len(round_) < count:
        round_.append(operator("next_player")(round_[-1], count))
    assert operator("seats_from")(player, count) == round_
    assert operator("seats_after")(player, count) == round_[1:]
    assert operator("opponents")(player, count) == [p for p in range(count) if p != player]


def macro(identifier: str) -> Callable[[list[Any], Callable[[Any], Any]], Any]:
    """Return a macro as a function of a list and a body."""
    body = ast.parse("body(x)", mode="eval").body
    node = expression(MACROS[identifier].python, _l=name("items"), _x=name("x"), _p=body)
    text = ast.unparse(ast.fix_missing_locations(ast.Expression(node)))
    return eval(f"lambda items, body: {text}", dict(NAMES))  # type: ignore[no-any-return]


@given(lists, st.sets(small))
def test_macros_with_a_test(items: list[int], good: set[int]) -> None:
    hits = [x for x in items if x in good]
    body = good.__contains__
    assert macro("exists")(items, body) is (len(hits) > 0)
    assert macro("all")(items, body) is (len(hits) == len(items))
    assert macro("exists_one")(items, body) is (len(hits) == 1)
    assert macro("count")(items, body) == len(hits)
    assert macro("filter")(items, body) == hits
    assert macro("first")(items, body) == (hits[0] if hits else None)


@given(lists)
def test_macros_with_a_value(items: list[int]) -> None:
    assert macro("map")(items, lambda x: x * x) == [x * x for x in items]
    assert macro("sum")(items, lambda x: 2 * x + 1) == 2 * sum(items) + len(items)
    assert macro("flat_map")(items, lambda x: [7] * x) == [7] * sum(items)
    if items:
        assert macro("min")(items, lambda x: -x) == -max(items)
        assert macro("max")(items, lambda x: -x) == -min(items)
    else:
        for identifier in ("min", "max"):
            with pytest.raises(FAULTS):
                macro(identifier)(items, lambda x: x)


@given(st.lists(st.lists(st.integers(0, 7), max_size=3), min_size=8, max_size=8),
       st.lists(st.integers(0, 7), max_size=3))
def test_closure_finds_what_can_be_reached(ways: list[list[int]], start: list[int]) -> None:
    found = macro("closure")(start, ways.__getitem__)
    # step by step: whoever is reached brings the next ones
    reached, layer = set(start), set(start)
    while layer:
        layer = {b for a in layer for b in ways[a]} - reached
        reached |= layer
    assert sorted(found) == sorted(reached)
    # nothing comes before what it was reached from
    known = set(start)
    for number in found:
        assert number in known
        known.update(ways[number])


def test_a_template_names_each_operand_once() -> None:
    # an operand may be long, and nested ones would double at every level
    for entry in [*OPERATORS.values(), *MACROS.values()]:
        used = [n.id for n in ast.walk(ast.parse(entry.python)) if isinstance(n, ast.Name)]
        for word in ("_a", "_b", "_c", "_l", "_p"):
            assert used.count(word) <= 1, (entry, word)


NAMES_OF_GAME = Names(
    kinds={"Side": ["left", "right"]},
    state={
        "pile": Type("deck", (Type("kind", name="Side"),)),
        "place": Type("slot", (Type("kind", name="Side"),)),
        "maybe": Type("optional", (INT,)),
        "xs": list_of(INT),
        "yes": BOOL,
    },
)
#: A text for every entry of the table.
USES = {
    "||": "yes || yes", "&&": "yes && yes", "!": "!yes", "negate": "-size(xs)",
    "==": "xs == xs", "!=": "xs != xs", "<": "1 < 2", "<=": "1 <= 2", ">": "1 > 2",
    ">=": "1 >= 2", "in": "1 in xs", "+": "1 + 1", "concat": "xs + xs", "-": "1 - 1",
    "*": "1 * 1", "/": "1 / 1", "%": "1 % 1", "size.deck": "size(pile)",
    "size.slot": "place.size()", "size": "xs.size()", "top": "top(xs)", "bottom": "bottom(xs)",
    "copies.deck": "copies(pile, 'left')", "copies": "xs.copies(1)", "slice": "xs.slice(0, 1)",
    "distinct": "distinct(xs)", "range": "range(3)", "abs": "abs(1)", "min.2": "min(1, 2)",
    "max.2": "max(1, 2)", "min": "min(xs)", "max": "xs.max()", "sum": "sum(xs)",
    "next_player": "next_player(players[0])", "seats_from": "seats_from(players[0])",
    "seats_after": "seats_after(players[0])", "opponents": "opponents(players[0])",
    "or": "maybe.or(1)", "index": "xs[0]",
}


def test_every_entry_can_be_written() -> None:
    assert USES.keys() == OPERATORS.keys()
    for identifier, text in USES.items():
        assert check_expression(text, Scope(NAMES_OF_GAME))["op"] == identifier


def test_the_table_agrees_with_itself() -> None:
    assert {o.id for forms in OVERLOADS.values() for o in forms} == OPERATORS.keys()
    for identifier, entry in OPERATORS.items():
        assert entry.id == identifier
        placeholders = {n.id for n in ast.walk(ast.parse(entry.python)) if isinstance(n, ast.Name)}
        operands = {"_a", "_b", "_c"} & placeholders
        assert operands == {"_a", "_b", "_c"} & {f"_{x}" for x in "abc"[: len(entry.params)]}
        assert placeholders - {"_a", "_b", "_c", "_n"} <= NAMES.keys() | {
            "list", "len", "sum", "min", "max", "abs", "range"
        }
