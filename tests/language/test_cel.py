"""The shared subset: our parser and a CEL library find the same trees and the same values.

What is shared, and each difference, is listed in ``docs/cel.md``; differences are tested below.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from engine.tiny import tiny, with_state
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from language.cel_grammar import Made, expressions, values
from language.test_parser import shape

from ludex.engine import Game
from ludex.engine.runtime import FAULTS
from ludex.errors import SpecError
from ludex.evaluate import compile_question
from ludex.language.parser import parse
from ludex.language.syntax import ExpressionSyntaxError

celpy: Any = pytest.importorskip("celpy", reason="no CEL library: pip install cel-python")
ENVIRONMENT: Any = celpy.Environment()
#: What both give where there is no value.
FAULT = "a fault"
#: Here CEL may find a value although a part of it has none.
ABSORBING = ("&&", "||", ".exists(", ".all(")

BODY = """
types:
  Side: [left, right]
state:
  i: {type: int, visible_to: everyone, RULE}
  j: {type: int, visible_to: everyone, RULE}
  b: {type: bool, visible_to: everyone, RULE}
  s: {type: Side, visible_to: everyone, RULE}
  t: {type: Side, visible_to: everyone, RULE}
  xs: {type: list(int), visible_to: everyone, RULE}
  ys: {type: list(int), visible_to: everyone, RULE}
  xss: {type: list(list(int)), visible_to: everyone, RULE}
  ss: {type: list(Side), visible_to: everyone, RULE}
  over: {type: bool, visible_to: everyone, RULE}
setup: [{set: {over: "false"}, RULE}]
flow: {start: play, steps: {play: {RULE, actors: players, moves: [stop]}}}
moves: {stop: {title: Stop, RULE, do: [{set: {over: "true"}}]}}
end: [{when: over, winners: players, RULE}]
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return Game(tiny(tmp_path_factory.mktemp("cel") / "game", BODY))


# -- trees ---------------------------------------------------------------------------------------

BINARY = {
    "relation_lt": "<", "relation_le": "<=", "relation_gt": ">", "relation_ge": ">=",
    "relation_eq": "==", "relation_ne": "!=", "relation_in": "in", "addition_add": "+",
    "addition_sub": "-", "multiplication_mul": "*", "multiplication_div": "/",
    "multiplication_mod": "%", "conditionalor": "||", "conditionaland": "&&",
}


def cel_shape(tree: Any) -> str:
    """Write the library's tree like ours: a bracket round every node that is not alone."""
    parts = tree.children
    if tree.data == "expr" and len(parts) == 3:
        return "(? " + " ".join(map(cel_shape, parts)) + ")"
    if tree.data in ("conditionalor", "conditionaland") and len(parts) == 2:
        return f"({BINARY[tree.data]} {cel_shape(parts[0])} {cel_shape(parts[1])})"
    if tree.data in ("relation", "addition", "multiplication") and len(parts) == 2:
        (left,) = parts[0].children
        return f"({BINARY[parts[0].data]} {cel_shape(left)} {cel_shape(parts[1])})"
    if tree.data == "unary" and len(parts) == 2:
        return f"({'!' if parts[0].data == 'unary_not' else '-'} {cel_shape(parts[1])})"
    if tree.data == "member_index":
        return f"([] {cel_shape(parts[0])} {cel_shape(parts[1])})"
    if tree.data == "member_dot":
        return f"(. {cel_shape(parts[0])} {parts[1]})"
    if tree.data == "member_dot_arg":
        args = [] if len(parts) < 3 else parts[2].children
        return " ".join([f"(.{parts[1]}", cel_shape(parts[0]), *map(cel_shape, args)]) + ")"
    if tree.data == "ident_arg":
        args = [] if len(parts) < 2 else parts[1].children
        return " ".join([f"({parts[0]}", *map(cel_shape, args)]) + ")"
    if tree.data == "list_lit":
        return "[" + " ".join(map(cel_shape, parts[0].children if parts else [])) + "]"
    if tree.data == "ident":
        return str(parts[0])
    if tree.data == "literal":
        word = str(parts[0])
        return repr(word[1:-1]) if word[0] in "'\"" else word
    (only,) = parts
    return cel_shape(only)


@given(expressions())
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_both_find_the_tree_that_the_text_was_made_from(made: Made) -> None:
    assert shape(parse(made.text)) == made.shape
    assert cel_shape(ENVIRONMENT.compile(made.text)) == made.shape


TEXTS = [
    "a.b.c[1].d(2, x)", "f(a, b)[0].g()", "a ? b : c ? d : e", "a || b && c || d && e",
    "a && b || c && d", "1 - 2 - 3", "8 / 4 / 2 % 3", "1 + 2 * 3 - 4", "-a * -b", "!!a && !b",
    "--a", "- -a", "-a.b[0]", "!a.b(c)", "a + b < c * d", "a in b && c in d",
    "(a ? b : c) ? d : e", "a ? (b ? c : d) : e", "[[1], [2, 3], []]", "a == (b == c)", "-(1)",
    "1 - -1", "[a ? b : c][0]", "xs.map(x, x + 1).filter(y, y > 2)[0] == 3", "a || b ? c : d",
    "a\n&&\tb", "'in' == \"left\"", "true && !false || null == a",
]


@pytest.mark.parametrize("text", TEXTS)
def test_both_find_the_same_tree(text: str) -> None:
    assert shape(parse(text)) == cel_shape(ENVIRONMENT.compile(text))


# -- values --------------------------------------------------------------------------------------


def ours(game: Game, text: str, variables: dict[str, Any]) -> Any:
    state = with_state(game, **variables)
    try:
        return compile_question(game, text, None)(state)
    except FAULTS:
        return FAULT


def theirs(text: str, variables: dict[str, Any]) -> Any:
    program = ENVIRONMENT.program(ENVIRONMENT.compile(text))
    try:
        return plain(program.evaluate({k: celpy.json_to_cel(v) for k, v in variables.items()}))
    except celpy.CELEvalError as error:
        return f"{FAULT}: {error}"


def plain(value: Any) -> Any:
    if isinstance(value, list):
        return [plain(v) for v in value]
    for type_, make in ((celpy.celtypes.BoolType, bool), (celpy.celtypes.IntType, int),
                        (celpy.celtypes.StringType, str)):
        if isinstance(value, type_):
            return make(value)
    return value


def test_the_grammar_reaches_everything() -> None:
    """Of some hundred expressions most have a value, and every form is among them."""
    texts: list[str] = []

    @given(expressions())
    @settings(max_examples=400, deadline=None, database=None, derandomize=True,
              suppress_health_check=[HealthCheck.too_slow])
    def collect(made: Made) -> None:
        texts.append(made.shape)

    collect()
    whole = " ".join(texts)
    for form in ("(&& ", "(|| ", "(! ", "(- ", "(+ ", "(* ", "(/ ", "(% ", "(< ", "(<= ", "(> ",
                 "(>= ", "(== ", "(!= ", "(in ", "(? ", "([] ", "(size ", "(.size ", "(.exists ",
                 "(.all ", "(.exists_one ", "(.filter ", "(.map ", "'left'", "[["):
        assert form in whole, form


@given(expressions(), values())
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_both_find_the_same_value(game: Game, made: Made, variables: dict[str, Any]) -> None:
    check_values(game, made.text, variables)


def check_values(game: Game, text: str, variables: dict[str, Any]) -> None:
    found, wanted = ours(game, text, variables), theirs(text, variables)
    if found == FAULT:
        if not str(wanted).startswith(FAULT):
            assert any(word in text for word in ABSORBING)
        return
    assert not str(wanted).startswith(FAULT) or "overflow" in wanted
    if "overflow" not in str(wanted):
        assert found == wanted
        assert type(found) is type(wanted)


EVALUATED = [
    ("7 / 2", 3), ("-7 / 2", -3), ("7 / -2", -3), ("-7 / -2", 3),
    ("7 % 3", 1), ("-7 % 3", -1), ("7 % -3", 1), ("-7 % -3", -1),
    ("1 - 2 - 3", -4), ("2 + 3 * 4", 14), ("(2 + 3) * 4", 20), ("12 / 3 / 2", 2),
    ("-(2 - 5)", 3), ("--i", 4), ("!(i == 4)", False),
    ("xs", [3, 1, 2]), ("xs + ys", [3, 1, 2, 5]), ("xs[1]", 1), ("xss[1][0]", 8),
    ("size(xs) + xss.size()", 5), ("3 in xs", True), ("5 in xs", False), ("[5] == ys", True),
    ("[8] in xss", True), ("xs.filter(x, x > 1)", [3, 2]), ("xs.map(x, x * x)", [9, 1, 4]),
    ("xs.exists(x, x == 2)", True), ("xs.all(x, x > 1)", False),
    ("xs.exists_one(x, x > 2)", True), ("xs.exists_one(x, x > 1)", False),
    ("xss.map(l, size(l))", [0, 1]), ("s == 'left'", True), ("s != t", True),
    ("ss.filter(x, x == s)", ["left"]), ("b ? 1 : xs[9]", 1), ("!b ? xs[9] : 2", 2),
    ("b || xs[9] == 1", True), ("!b && xs[9] == 1", False), ("xss == [[], [8]]", True),
    ("[1, 2] == [1, 2, 3]", False), ("[1, 2] == [2, 1]", False),
]
VALUES: dict[str, Any] = {"i": 4, "j": 0, "b": True, "s": "left", "t": "right", "xs": [3, 1, 2],
                          "ys": [5], "xss": [[], [8]], "ss": ["left", "right"]}


@pytest.mark.parametrize(("text", "value"), EVALUATED)
def test_values_by_hand(game: Game, text: str, value: Any) -> None:
    assert ours(game, text, VALUES) == value
    assert theirs(text, VALUES) == value


# -- differences, as docs/cel.md lists them -----------------------------------------------------

@pytest.mark.parametrize("text", ["xs[9] == 1 || b", "1 / 0 == 1 || true", "1 / j == 1 || b"])
def test_connectives_are_strict_from_the_left(game: Game, text: str) -> None:
    assert ours(game, text, VALUES) == FAULT
    assert theirs(text, VALUES) is True


@pytest.mark.parametrize("text", ["[1, 0].exists(x, 1 / x == 1)", "[3, 0].all(x, 6 / x == 1)"])
def test_macros_look_at_every_element(game: Game, text: str) -> None:
    assert ours(game, text, VALUES) == FAULT
    assert theirs(text, VALUES) in (True, False)


@pytest.mark.parametrize("text", ["1 < 2 == true", "i == j == b", "1 < 2 < 3", "i in xs == b"])
def test_comparisons_do_not_chain(text: str) -> None:
    with pytest.raises(ExpressionSyntaxError, match="comparisons do not chain"):
        parse(text)
    ENVIRONMENT.compile(text)


@pytest.mark.parametrize("text", ["1.5", "1u", "0x1f", "b'a'", "r'a'", "'a\\n'", "{'a': 1}",
                                  "'''a'''", ".a"])
def test_forms_that_are_not_shared(text: str) -> None:
    with pytest.raises(ExpressionSyntaxError):
        parse(text)
    ENVIRONMENT.compile(text)


def test_positions_are_never_negative(game: Game) -> None:
    # CEL says so too; the library counts from the end, as Python does
    assert ours(game, "xs[-1]", VALUES) == FAULT


@pytest.mark.parametrize(
    ("text", "code"),
    [
        # a quoted name is a member of a kind that is known from what stands beside it
        ("'left' == 'right'", "expression.type"),
        ("s == 'middle'", "expression.member"),
        ("size('left') == 4", "expression.type"),
        # types are known before anything is evaluated
        ("b ? 1 : true", "expression.type"),
        ("[1, true]", "expression.type"),
        ("1 == true", "expression.type"),
        ("has(i)", "expression.unknown-function"),
        ("string(i)", "expression.unknown-function"),
        # a name stands for one thing
        ("xs.exists(i, i > 1)", "expression.hides"),
        ("xs.map(x, x > 1, x)", "expression.arguments"),
    ],
)
def test_what_is_refused_before_it_runs(game: Game, text: str, code: str) -> None:
    with pytest.raises(SpecError) as caught:
        compile_question(game, text, None)
    assert caught.value.code == code
    ENVIRONMENT.compile(text)


@given(st.integers(2**53 + 1, 2**63 - 1))
def test_literals_are_exact_in_every_json_reader(number: int) -> None:
    with pytest.raises(ExpressionSyntaxError):
        parse(str(number))


def test_a_list_may_end_in_a_comma(game: Game) -> None:
    # CEL says so too; the library does not know it
    assert ours(game, "xs == [3, 1, 2,]", VALUES) is True


def test_numbers_have_no_end(game: Game) -> None:
    text = "*".join(["9007199254740992"] * 3)
    assert ours(game, text, VALUES) == (2**53) ** 3
    assert "overflow" in theirs(text, VALUES)


def test_the_page_names_every_difference() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "cel.md").read_text(encoding="utf-8")
    for name in ("exists_one", "filter", "size", "chain", "quoted", "2^53", "every element",
                 "strict", "hide", "trailing comma"):
        assert name in page, name
