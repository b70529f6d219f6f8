"""The parser: which tree a text becomes, where its parts stand, and what is said of faults."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ludex.language.parser import MAX_DEPTH, MAX_LENGTH, parse
from ludex.language.syntax import (
    Access,
    Binary,
    Call,
    Conditional,
    ExpressionSyntaxError,
    Index,
    ListLiteral,
    Literal,
    Name,
    Node,
    RecordLiteral,
    Unary,
)


def shape(node: Node) -> str:
    """Write a tree with a bracket round every node."""
    match node:
        case Literal(value=value):
            if value is None or isinstance(value, bool):
                return "null" if value is None else str(value).lower()
            return repr(value)
        case Name(name=name):
            return name
        case Access(of=of, field=field):
            return f"(. {shape(of)} {field})"
        case Index(of=of, index=index):
            return f"([] {shape(of)} {shape(index)})"
        case Call(name=name, args=args, receiver=receiver):
            return " ".join([f"({'.' if receiver else ''}{name}", *map(shape, args)]) + ")"
        case Unary(operator=operator, operand=operand):
            return f"({operator} {shape(operand)})"
        case Binary(operator=operator, left=left, right=right):
            return f"({operator} {shape(left)} {shape(right)})"
        case Conditional(condition=condition, then=then, otherwise=otherwise):
            return f"(? {shape(condition)} {shape(then)} {shape(otherwise)})"
        case ListLiteral(items=items):
            return "[" + " ".join(map(shape, items)) + "]"
        case RecordLiteral(name=name, fields=fields):
            return f"{{{name} " + " ".join(f"{k}:{shape(v)}" for k, v in fields) + "}"
    raise AssertionError(node)


TREES = [
    ("1", "1"),
    ("  x  ", "x"),
    ("true", "true"),
    ("false", "false"),
    ("null", "null"),
    ("nullable", "nullable"),
    ("9007199254740992", "9007199254740992"),
    ("'a b'", "'a b'"),
    ('"it\'s"', '"it\'s"'),
    # multiplication before addition before comparison before && before || before ?:
    ("a + b * c", "(+ a (* b c))"),
    ("a * b + c", "(+ (* a b) c)"),
    ("a + b == c - d", "(== (+ a b) (- c d))"),
    ("a == b && c == d", "(&& (== a b) (== c d))"),
    ("a || b && c || d", "(|| (|| a (&& b c)) d)"),
    ("a && b ? c : d", "(? (&& a b) c d)"),
    ("a in b && c", "(&& (in a b) c)"),
    ("a + 1 in b", "(in (+ a 1) b)"),
    # from the left
    ("a - b - c", "(- (- a b) c)"),
    ("a / b * c % d", "(% (* (/ a b) c) d)"),
    ("a && b && c", "(&& (&& a b) c)"),
    # but ?: from the right
    ("a ? b : c ? d : e", "(? a b (? c d e))"),
    ("a ? (b ? c : d) : e", "(? a (? b c d) e)"),
    # what stands before or behind a value binds closest
    ("-a.b", "(- (. a b))"),
    ("!a.b(c)[d]", "(! ([] (.b a c) d))"),
    ("-a + b", "(+ (- a) b)"),
    ("!a && b", "(&& (! a) b)"),
    ("!!a", "(! (! a))"),
    ("a - -b", "(- a (- b))"),
    ("a -1", "(- a 1)"),
    ("- 5", "-5"),
    ("-5 * -3", "(* -5 -3)"),
    ("-(5)", "(- 5)"),
    ("(a + b) * c", "(* (+ a b) c)"),
    ("((a))", "a"),
    ("f()", "(f)"),
    ("f(a, b)", "(f a b)"),
    ("f(a,)", "(f a)"),
    ("a.f()", "(.f a)"),
    ("a.f(x, x > 1).g", "(. (.f a x (> x 1)) g)"),
    ("a[b][c]", "([] ([] a b) c)"),
    ("[]", "[]"),
    ("[a, [b]]", "[a [b]]"),
    ("Pair{left: a, right: b + 1}", "{Pair left:a right:(+ b 1)}"),
    ("Pair{}", "{Pair }"),
    ("a\n&&\tb", "(&& a b)"),
    ("not_a", "not_a"),
    ("index in indexes", "(in index indexes)"),
    ("or(a, b)", "(or a b)"),
]


@pytest.mark.parametrize(("text", "tree"), TREES)
def test_trees(text: str, tree: str) -> None:
    assert shape(parse(text)) == tree


def parts(node: Node) -> list[Node]:
    found = [node]
    for value in vars(node).values():
        if isinstance(value, Node):
            found += parts(value)
        elif isinstance(value, tuple):
            for item in value:
                inner = item[1] if isinstance(item, tuple) else item
                if isinstance(inner, Node):
                    found += parts(inner)
    return found


def check_spans(text: str) -> None:
    """The text of every node is an expression, and it is that node."""
    for node in parts(parse(text)):
        piece = text[node.start : node.end]
        assert piece == piece.strip()
        assert shape(parse(piece)) == shape(node), piece


@pytest.mark.parametrize("text", [text for text, _ in TREES])
def test_spans_of_parts_are_expressions(text: str) -> None:
    check_spans(text)


def test_spans_in_numbers() -> None:
    root = parse(" (a + bb) * f(c)")
    assert isinstance(root, Binary)
    spans = {shape(n): (n.start, n.end) for n in parts(root)}
    assert spans == {
        "(* (+ a bb) (f c))": (1, 16),
        "(+ a bb)": (1, 9),
        "a": (2, 3),
        "bb": (6, 8),
        "(f c)": (12, 16),
        "c": (14, 15),
    }


END = "an operator or the end"
CHAIN = "&& or || (comparisons do not chain)"
FAULTS = [
    # text, offset, message, hint
    ("", 0, "expected a value, found the end", None),
    ("   ", 3, "expected a value, found the end", None),
    ("a b", 2, f"expected {END}, found 'b'", None),
    ("a)", 1, f"expected {END}, found ')'", None),
    ("a +", 3, "expected a value, found the end", None),
    ("* a", 0, "expected a value, found '*'", None),
    ("(a", 2, "expected ')', found the end", None),
    ("f(a", 3, "expected ',' or ')', found the end", None),
    ("f(a b)", 4, "expected ',' or ')', found 'b'", None),
    ("f(,)", 2, "expected a value, found ','", None),
    ("[a b]", 3, "expected ',' or ']', found 'b'", None),
    ("[a", 2, "expected ',' or ']', found the end", None),
    ("a[b", 3, "expected ']', found the end", None),
    ("a[]", 2, "expected a value, found ']'", None),
    ("a.", 2, "expected a name after '.', found the end", None),
    ("a.1", 2, "expected a name after '.', found '1'", None),
    ("a.in", 2, "expected a name after '.', found 'in'", None),
    ("a ? b", 5, "expected ':', found the end", None),
    ("a ? b : ", 8, "expected a value, found the end", None),
    ("Pair{1: a}", 5, "expected a field name, found '1'", None),
    ("Pair{a b}", 7, "expected ':', found 'b'", None),
    ("Pair{a: b c: d}", 10, "expected ',' or '}', found 'c'", None),
    ("a == b == c", 7, f"expected {CHAIN}, found '=='", "join two comparisons with &&"),
    ("1 < a < 3", 6, f"expected {CHAIN}, found '<'", "join two comparisons with &&"),
    ("a in b in c", 7, f"expected {CHAIN}, found 'in'", "join two comparisons with &&"),
    ("a and b", 2, f"expected {END}, found 'and'", "write '&&' for 'and'"),
    ("a or b", 2, f"expected {END}, found 'or'", "write '||' for 'or'"),
    ("not a", 4, f"expected {END}, found 'a'", "write '!' for 'not'"),
    ("a not in b", 2, f"expected {END}, found 'not'", "write '!' for 'not'"),
    ("a = b", 2, "unexpected character '='", "write '==' to compare"),
    ("a & b", 2, "unexpected character '&'", "write '&&'"),
    ("a | b", 2, "unexpected character '|'", "write '||'"),
    ("'a", 0, 'unexpected character "\'"', "close the quote"),
    ('x == "a', 5, "unexpected character '\"'", "close the quote"),
    ('"a\\"b"', 0, "unexpected character '\"'", "quoted names have no backslash"),
    ("'a\nb'", 0, 'unexpected character "\'"', "close the quote"),
    ("1.5", 0, "unexpected character '1'", "numbers are whole and decimal"),
    ("0x1F", 0, "unexpected character '0'", "numbers are whole and decimal"),
    ("12cards", 0, "unexpected character '1'", "numbers are whole and decimal"),
    ("a ; b", 2, "unexpected character ';'", None),
    ("a\u00a0+ b", 1, "unexpected character '\\xa0'", None),
    ("\u0663 + 1", 0, "unexpected character '\u0663'", None),
    ("caf\u00e9", 3, "unexpected character '\u00e9'", None),
    ("007", 0, "a number has no leading zero, found 007", None),
    ("9007199254740993", 0, "a number is at most 2^53", None),
    ("12345678901234567890", 0, "a number is at most 2^53", None),
    ("for", 0, "expected a name (this one is reserved), found 'for'", None),
    ("1 + if", 4, "expected a name (this one is reserved), found 'if'", None),
]


@pytest.mark.parametrize(("text", "offset", "message", "hint"), FAULTS)
def test_faults_word_for_word(text: str, offset: int, message: str, hint: str | None) -> None:
    with pytest.raises(ExpressionSyntaxError) as caught:
        parse(text)
    assert (caught.value.message, caught.value.offset, caught.value.hint) == (
        message, offset, hint
    )
    assert str(caught.value) == message


def test_the_longest_text() -> None:
    parse("a" * MAX_LENGTH)
    with pytest.raises(ExpressionSyntaxError) as caught:
        parse("a" * (MAX_LENGTH + 1))
    assert caught.value.message == "an expression has at most 4000 characters, found 4001"


@pytest.mark.parametrize(
    ("before", "after", "offset"),
    [("(", ")", 60), ("[", "]", 60), ("f(", ")", 120), ("-", "", 59), ("!", "", 59),
     ("a ? b : ", "", 480), ("x[", "]", 120), ("a.f(", ")", 240)],
)
def test_the_deepest_text(before: str, after: str, offset: int) -> None:
    # the outermost expression is one level; so MAX_DEPTH - 1 brackets fit into it
    parse(before * (MAX_DEPTH - 1) + "a" + after * (MAX_DEPTH - 1))
    with pytest.raises(ExpressionSyntaxError) as caught:
        parse(before * MAX_DEPTH + "a" + after * MAX_DEPTH)
    assert caught.value.message == "an expression nests at most 60 deep"
    assert caught.value.offset == offset


def test_long_chains_are_not_deep() -> None:
    node, length = parse("+".join(["1"] * 1999)), 0
    while isinstance(node, Binary):
        node, length = node.left, length + 1
    assert length == 1998
    node, length = parse("a" + ".b" * 1900), 0
    while isinstance(node, Access):
        node, length = node.of, length + 1
    assert length == 1900


TOKENS = ["a", "in", "not", "1", "0", "'x'", '"', "(", ")", "[", "]", "{", "}", ".", ",", "?",
          ":", "+", "-", "!", "=", "==", "<", "&&", "|", " ", "\n", "\\", "\u0663", "true", "null",
          "for", "Pair{", "f("]


@given(st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(TOKENS), max_size=40).map("".join),
    st.lists(st.sampled_from("([-!?:.a"), min_size=1).map(lambda ws: "".join(ws) * 70),
))
@example("\ud800")
@example("a\n")
def test_garbage_gives_a_tree_or_an_error_inside_the_text(text: str) -> None:
    try:
        parse(text)
    except ExpressionSyntaxError as error:
        found = error
    else:
        check_spans(text)
        return
    assert 0 <= found.offset <= len(text)
    assert found.message


names = st.sampled_from(["a", "b", "total", "x1"])
leaves = st.one_of(
    names,
    st.integers(0, 2**53).map(str),
    st.sampled_from(["true", "false", "null", "'left'"]),
)


def composed(inner: st.SearchStrategy[tuple[str, str]]) -> st.SearchStrategy[tuple[str, str]]:
    """Text with every bracket, beside the tree that it must become."""
    pair = st.tuples(inner, inner)
    operators = st.sampled_from(["||", "&&", "==", "<=", "in", "+", "-", "*", "%"])
    return st.one_of(
        st.tuples(operators, pair).map(
            lambda t: (f"({t[1][0][0]}) {t[0]} ({t[1][1][0]})",
                       f"({t[0]} {t[1][0][1]} {t[1][1][1]})")
        ),
        st.tuples(inner, inner, inner).map(
            lambda t: (f"({t[0][0]}) ? ({t[1][0]}) : ({t[2][0]})",
                       f"(? {t[0][1]} {t[1][1]} {t[2][1]})")
        ),
        inner.map(lambda t: (f"!({t[0]})", f"(! {t[1]})")),
        st.tuples(names, st.lists(inner, max_size=3)).map(
            lambda t: (f"{t[0]}({', '.join(a for a, _ in t[1])})",
                       " ".join([f"({t[0]}", *(b for _, b in t[1])]) + ")")
        ),
        st.tuples(inner, names).map(lambda t: (f"({t[0][0]}).{t[1]}", f"(. {t[0][1]} {t[1]})")),
        pair.map(lambda t: (f"({t[0][0]})[{t[1][0]}]", f"([] {t[0][1]} {t[1][1]})")),
        st.lists(inner, max_size=3).map(
            lambda t: (f"[{', '.join(a for a, _ in t)}]", "[" + " ".join(b for _, b in t) + "]")
        ),
    )


@given(st.recursive(leaves.map(lambda text: (text, text)), composed, max_leaves=12))
def test_brackets_say_what_the_tree_is(pair: tuple[str, str]) -> None:
    text, tree = pair
    assert shape(parse(text)) == tree
    check_spans(text)
