"""A grammar of the expressions that the language shares with CEL, as a Hypothesis strategy.

It makes well-typed expressions, so that they have values, and writes each with no more brackets
than the precedence of CEL demands, and some more here and there. An expression comes with the tree
that it was made from: whoever reads the text has to find that tree again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

#: Variables that expressions may name, with a type each.
VARIABLES = {
    "int": ["i", "j"],
    "bool": ["b"],
    "side": ["s", "t"],
    "ints": ["xs", "ys"],
    "lists": ["xss"],
    "sides": ["ss"],
}
ELEMENT = {"ints": "int", "lists": "ints", "sides": "side"}
LISTS = {item: name for name, item in ELEMENT.items()}
SIDES = ["left", "right"]
#: How strongly what stands on top of a text binds: chooses, or, and, compares, adds, multiplies,
#: negates, follows (an index, a call), stands alone.
CHOICE, OR, AND, COMPARE, ADD, MULTIPLY, NEGATE, FOLLOW, ALONE = range(9)


@dataclass(frozen=True)
class Made:
    """An expression: its text, how strongly it binds, and its tree with brackets everywhere."""

    text: str
    power: int
    shape: str

    def at(self, power: int) -> str:
        """Return the text for a place that needs a binding of so much."""
        return self.text if self.power >= power else f"({self.text})"


def binary(word: str, power: int, left: Made, right: Made) -> Made:
    # comparisons do not chain; everything else goes from left to right
    first = power + 1 if power == COMPARE else power
    text = f"{left.at(first)} {word} {right.at(power + 1)}"
    return Made(text, power, f"({word} {left.shape} {right.shape})")


def unary(word: str, of: Made) -> Made:
    # the minus of a number belongs to the number
    literal = of.shape.lstrip("-").isdigit()
    text = f"({of.text})" if literal else of.at(NEGATE)
    return Made(word + text, NEGATE, f"({word} {of.shape})")


def call(name: str, *args: Made) -> Made:
    text = ", ".join(a.text for a in args)
    return Made(f"{name}({text})", ALONE, " ".join([f"({name}", *(a.shape for a in args)]) + ")")


def method(of: Made, name: str, *args: Made) -> Made:
    text = ", ".join(a.text for a in args)
    shape = " ".join([f"(.{name}", of.shape, *(a.shape for a in args)]) + ")"
    return Made(f"{of.at(FOLLOW)}.{name}({text})", FOLLOW, shape)


def index(of: Made, at: Made) -> Made:
    return Made(f"{of.at(FOLLOW)}[{at.text}]", FOLLOW, f"([] {of.shape} {at.shape})")


def choice(condition: Made, then: Made, other: Made) -> Made:
    text = f"{condition.at(OR)} ? {then.at(OR)} : {other.at(CHOICE)}"
    return Made(text, CHOICE, f"(? {condition.shape} {then.shape} {other.shape})")


def listed(*items: Made) -> Made:
    return Made("[" + ", ".join(i.text for i in items) + "]", ALONE,
                "[" + " ".join(i.shape for i in items) + "]")


def named(word: str) -> Made:
    return Made(word, ALONE, word)


def number(value: int) -> Made:
    return Made(str(value), ALONE if value >= 0 else NEGATE, str(value))


def quoted(word: str, mark: str) -> Made:
    return Made(f"{mark}{word}{mark}", ALONE, repr(word))


class Maker:
    """Makes an expression of a type, down to a depth."""

    def __init__(self, draw: DrawFn) -> None:
        self.draw = draw
        self.locals: list[tuple[str, str]] = []
        self.fresh = 0

    def one_of(self, *options: Any) -> Any:
        return self.draw(st.sampled_from(options))

    def make(self, type_: str, depth: int) -> Made:
        made: Made = getattr(self, f"leaf_{type_}" if depth == 0 else type_)(depth - 1)
        if self.draw(st.integers(0, 9)) == 0:
            # brackets that nobody needs
            return Made(f"({made.text})", ALONE, made.shape)
        return made

    def variable(self, type_: str) -> Made:
        local = [name for name, kind in self.locals if kind == type_]
        return named(self.one_of(*local, *VARIABLES[type_]))

    def choice(self, type_: str, depth: int) -> Made:
        return choice(self.make("bool", depth), self.make(type_, depth), self.make(type_, depth))

    def item(self, type_: str, depth: int) -> Made:
        """An element of a list, at a position that often is not there, but never negative."""
        at = self.one_of(
            number(self.draw(st.integers(0, 3))), named("i"), named("j"),
            call("size", self.variable("ints")), binary("+", ADD, named("i"), named("j")),
        )
        return index(self.make(LISTS[type_], depth), at)

    def macro(self, name: str, over: str, body: str, depth: int) -> Made:
        items = self.make(over, depth)
        self.fresh += 1
        word = f"x{self.fresh}"
        self.locals.append((word, ELEMENT[over]))
        inner = self.make(body, depth)
        self.locals.pop()
        return method(items, name, named(word), inner)

    # -- types -----------------------------------------------------------------------------------

    def leaf_int(self, depth: int) -> Made:
        if self.one_of(True, False):
            return self.variable("int")
        return number(self.draw(st.integers(-3, 9)))

    def int(self, depth: int) -> Made:
        match self.draw(st.integers(0, 8)):
            case 0 | 1 | 2:
                word, power = self.one_of(("+", ADD), ("-", ADD), ("*", MULTIPLY),
                                          ("/", MULTIPLY), ("%", MULTIPLY))
                return binary(word, power, self.make("int", depth), self.make("int", depth))
            case 3:
                return unary("-", self.make("int", depth))
            case 4:
                of = self.make(self.one_of(*ELEMENT), depth)
                return self.one_of(call, lambda name, arg: method(arg, name))("size", of)
            case 5 | 6:
                return self.item("int", depth)
            case 7:
                return self.choice("int", depth)
        return self.leaf_int(depth)

    def leaf_bool(self, depth: int) -> Made:
        return self.one_of(named("true"), named("false"), self.variable("bool"))

    def bool(self, depth: int) -> Made:
        match self.draw(st.integers(0, 10)):
            case 0 | 1:
                word = self.one_of("<", "<=", ">", ">=", "==", "!=")
                return binary(word, COMPARE, self.make("int", depth), self.make("int", depth))
            case 2 | 3 | 4:
                word, power = self.one_of(("&&", AND), ("||", OR))
                return binary(word, power, self.make("bool", depth), self.make("bool", depth))
            case 5:
                return unary("!", self.make("bool", depth))
            case 6:
                # what a quoted name is, the other side says
                type_ = self.one_of("ints", "lists", "bool")
                word = self.one_of("==", "!=")
                return binary(word, COMPARE, self.make(type_, depth), self.make(type_, depth))
            case 7:
                word = self.one_of("==", "!=")
                sides = [self.variable("side"), self.make("side", depth)]
                return binary(word, COMPARE, *(sides if self.one_of(True, False) else sides[::-1]))
            case 8:
                over = self.one_of("ints", "lists")
                return binary("in", COMPARE, self.make(ELEMENT[over], depth),
                              self.make(over, depth))
            case 9:
                return self.macro(self.one_of("exists", "all", "exists_one"),
                                  self.one_of(*ELEMENT), "bool", depth)
        return self.choice("bool", depth)

    def leaf_side(self, depth: int) -> Made:
        if self.one_of(True, False):
            return self.variable("side")
        return quoted(self.one_of(*SIDES), self.one_of("'", '"'))

    def side(self, depth: int) -> Made:
        # one of the results says which kind the other is
        return choice(self.make("bool", depth), self.variable("side"), self.make("side", depth))

    def leaf_ints(self, depth: int) -> Made:
        return self.variable("ints")

    def ints(self, depth: int) -> Made:
        match self.draw(st.integers(0, 5)):
            case 0:
                count = self.draw(st.integers(1, 3))
                return listed(*(self.make("int", depth) for _ in range(count)))
            case 1:
                return binary("+", ADD, self.make("ints", depth), self.make("ints", depth))
            case 2:
                return self.macro("filter", "ints", "bool", depth)
            case 3:
                return self.macro("map", self.one_of(*ELEMENT), "int", depth)
            case 4:
                return self.item("ints", depth)
        return self.choice("ints", depth)

    def leaf_lists(self, depth: int) -> Made:
        return self.variable("lists")

    def lists(self, depth: int) -> Made:
        match self.draw(st.integers(0, 2)):
            case 0:
                return listed(self.make("ints", depth), self.variable("ints"))
            case 1:
                return self.macro("map", self.one_of("ints", "sides"), "ints", depth)
        return self.macro("filter", "lists", "bool", depth)

    def leaf_sides(self, depth: int) -> Made:
        return self.variable("sides")

    def sides(self, depth: int) -> Made:
        return self.macro("filter", "sides", "bool", depth)


@st.composite
def expressions(draw: DrawFn, depth: int = 4) -> Made:
    """Return a strategy for expressions whose value is a number, a truth value or a list."""
    type_ = draw(st.sampled_from(["int", "bool", "bool", "ints", "lists"]))
    return Maker(draw).make(type_, draw(st.integers(1, depth)))


def values() -> st.SearchStrategy[dict[str, Any]]:
    """Return a strategy for what the variables hold."""
    number = st.integers(-2, 6)
    side = st.sampled_from(SIDES)
    of_type: dict[str, Any] = {
        "int": number, "bool": st.booleans(), "side": side,
        "ints": st.lists(number, max_size=3),
        "lists": st.lists(st.lists(number, max_size=2), max_size=2),
        "sides": st.lists(side, max_size=2),
    }
    # `i` and `j` are positions, too
    of_type["int"] = st.integers(0, 6)
    return st.fixed_dictionaries(
        {name: of_type[kind] for kind, names in VARIABLES.items() for name in names}
    )
