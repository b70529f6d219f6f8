"""Names and types: from syntax tree to the typed tree of a game document.

A typed tree is JSON. Every node has ``type`` (a type text), ``span`` (offsets into the
expression's text) and exactly one of

=============  ==================================================================
``lit``        an integer, a boolean, null, the id of a member, or ``p1`` ...
``get``        ``state``, ``local``, ``constant``, ``ruling``, ``option`` with ``name``,
               or ``players``, ``n_players``
``all``        every member of a kind, in order
``attr``       column of a component, ``of`` a node
``field``      field of a record, ``of`` a node
``key``        value of a map, ``of`` a node ``at`` a node
``op``         an entry of the operator table, with ``args``
``macro``      an entry of the macro table, ``over`` a node, ``as`` a name, ``body``
``call``       a function of the game, with ``args``
``if``         condition, then, else
``list``       items
``record``     a record literal, ``fields`` by name
=============  ==================================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ludex.errors import closest
from ludex.language import syntax
from ludex.language.hints import for_function, for_name, for_no_field, for_type
from ludex.language.operators import MACROS, OVERLOADS, substitute, unify
from ludex.language.parser import parse
from ludex.language.types import (
    ANY,
    BOOL,
    INT,
    NULL,
    PLAYER,
    TEXT,
    Type,
    element,
    fits,
    list_of,
    mentions_text,
)

__all__ = ["ExpressionError", "Names", "Scope", "Tree", "check_expression", "plain"]

Tree = dict[str, Any]
MAX_TREE_DEPTH = 80
#: A hint lists the members of a kind if there are no more.
MAX_LISTED = 12


class ExpressionError(Exception):
    """An expression that does not fit its game: message, code, offset, hint."""

    def __init__(self, message: str, code: str, offset: int, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.offset = offset
        self.hint = hint


@dataclass
class Names:
    """Everything that a game declares and an expression may name."""

    kinds: Mapping[str, Sequence[str]] = field(default_factory=dict)
    columns: Mapping[str, Mapping[str, Type]] = field(default_factory=dict)
    records: Mapping[str, Mapping[str, Type]] = field(default_factory=dict)
    state: Mapping[str, Type] = field(default_factory=dict)
    constants: Mapping[str, Type] = field(default_factory=dict)
    functions: Mapping[str, tuple[Mapping[str, Type], Type]] = field(default_factory=dict)
    rulings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    options: Mapping[str, Type] = field(default_factory=dict)
    #: ``p1`` to this one are in every game
    players: int = 2
    #: functions that stand further down, and so cannot be called here
    below: Sequence[str] = ()

    def members(self, type_: Type) -> Sequence[str]:
        """Return the ids of a kind (a ruling's values are the members of ``rulings.NAME``)."""
        if type_.name.startswith("rulings."):
            return self.rulings[type_.name[len("rulings.") :]]
        return self.kinds[type_.name]

    def words(self) -> list[str]:
        """Return every name that may stand alone in an expression."""
        return [
            *self.state,
            *self.constants,
            *self.kinds,
            "players",
            "n_players",
            *(["rulings"] if self.rulings else []),
            *(["options"] if self.options else []),
        ]


@dataclass
class Scope:
    """The names of a game and the locals at one place."""

    names: Names
    locals: dict[str, Type] = field(default_factory=dict)

    def inner(self, more: Mapping[str, Type] | None = None) -> Scope:
        """Return a scope with further locals; what it defines does not reach this one."""
        return Scope(self.names, {**self.locals, **(more or {})})


def check_expression(text: str, scope: Scope, wanted: Type | None = None) -> Tree:
    """Parse, resolve and type an expression.

    Parameters
    ----------
    text : str
        As written in the spec.
    scope : Scope
        What it may name.
    wanted : Type, optional
        What the place expects.

    Returns
    -------
    dict
        The typed tree.

    Raises
    ------
    ExpressionError
        With the offset of the faulty part.
    """
    try:
        node = parse(text)
    except syntax.ExpressionSyntaxError as error:
        raise ExpressionError(
            error.message, "expression.syntax", error.offset, error.hint
        ) from error
    checker = _Checker(scope.names)
    tree = checker.check(node, scope.locals, wanted)
    return checker.fit(tree, wanted, node)


def _type(tree: Tree) -> Type:
    found = tree["type"]
    assert isinstance(found, Type)
    return found


def _may_be_absent(type_: Type) -> bool:
    return type_.head in ("optional", "slot")


def _said(type_: Type) -> str:
    """Return a type as messages name it: some are never declared."""
    if type_ == TEXT:
        return "a quoted name"
    return "an empty list" if type_ == list_of(ANY) else str(type_)


class _Checker:
    """Types are `Type` objects while checking; :func:`plain` turns them into texts."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.depth = 0
        # some nodes are checked again when their kind is known; those inside only once
        self.done: dict[tuple[int, Type | None], Tree] = {}

    def fail(
        self, node: syntax.Node, message: str, code: str = "type", hint: str | None = None
    ) -> ExpressionError:
        return ExpressionError(message, f"expression.{code}", node.start, hint)

    def fit(self, tree: Tree, wanted: Type | None, node: syntax.Node) -> Tree:
        found = _type(tree)
        if wanted is None:
            if mentions_text(found):
                raise self.fail(
                    node,
                    "cannot tell which kind a quoted name belongs to",
                    hint="compare it with, or pass it where, a kind is known",
                )
            return tree
        if not fits(found, wanted):
            raise self.fail(node, f"expected {wanted}, found {_said(found)}",
                            hint=for_type(wanted, found))
        return tree

    def check(
        self, node: syntax.Node, local: Mapping[str, Type], wanted: Type | None = None
    ) -> Tree:
        key = (id(node), wanted)
        if key in self.done:
            return self.done[key]
        self.depth += 1
        if self.depth > MAX_TREE_DEPTH:
            raise self.fail(node, f"an expression nests at most {MAX_TREE_DEPTH} deep", "depth",
                            "name parts of it with let, or make them functions")
        tree = self.dispatch(node, local, wanted)
        tree["span"] = [node.start, node.end]
        self.depth -= 1
        self.done[key] = tree
        return tree

    def dispatch(
        self, node: syntax.Node, local: Mapping[str, Type], wanted: Type | None
    ) -> Tree:
        match node:
            case syntax.Literal():
                return self.literal(node, wanted)
            case syntax.Name():
                return self.name(node, local)
            case syntax.Access():
                return self.access(node, local)
            case syntax.Index():
                return self.index(node, local)
            case syntax.Unary(operator=operator, operand=operand):
                return self.operator(node, operator, (operand,), local)
            case syntax.Binary(operator=operator, left=left, right=right):
                return self.operator(node, operator, (left, right), local)
            case syntax.Call():
                return self.call(node, local)
            case syntax.Conditional():
                return self.conditional(node, local, wanted)
            case syntax.ListLiteral():
                return self.list_literal(node, local, wanted)
            case syntax.RecordLiteral():
                return self.record_literal(node, local)
        raise AssertionError(node)

    # -- leaves ------------------------------------------------------------------------------

    def literal(self, node: syntax.Literal, wanted: Type | None) -> Tree:
        value = node.value
        if value is None:
            return {"lit": None, "type": NULL}
        if isinstance(value, bool):
            return {"lit": value, "type": BOOL}
        if isinstance(value, int):
            return {"lit": value, "type": INT}
        while wanted is not None and wanted.head in ("optional", "slot"):
            wanted = wanted.args[0]
        if wanted == PLAYER:
            known = [f"p{i + 1}" for i in range(self.names.players)]
            if value not in known:
                raise self.fail(node, f"expected a player, found {value!r}", "member",
                                closest(value, known)
                                or f"those who are in every game are {', '.join(known)}")
            return {"lit": value, "type": PLAYER}
        if wanted is not None and wanted.head == "kind":
            members = self.names.members(wanted)
            if value not in members:
                hint = closest(value, members)
                if hint is None and len(members) <= MAX_LISTED:
                    hint = f"its members are {', '.join(members)}"
                raise self.fail(node, f"expected a member of {wanted}, found {value!r}", "member",
                                hint)
            return {"lit": value, "type": wanted}
        return {"lit": value, "type": TEXT}

    def name(self, node: syntax.Name, local: Mapping[str, Type]) -> Tree:
        word, names = node.name, self.names
        if word in local:
            return {"get": "local", "name": word, "type": local[word]}
        if word in names.state:
            return {"get": "state", "name": word, "type": names.state[word]}
        if word in names.constants:
            return {"get": "constant", "name": word, "type": names.constants[word]}
        if word in names.kinds:
            return {"all": word, "type": list_of(Type("kind", name=word))}
        if word == "players":
            return {"get": "players", "type": list_of(PLAYER)}
        if word == "n_players":
            return {"get": "n_players", "type": INT}
        known = [*local, *names.words()]
        hint = for_name(word, known, names.kinds)
        if word in names.functions:
            hint = f"{word} is a function: write {word}(...)"
        raise self.fail(node, f"unknown name {word!r}", "unknown-name", hint)

    def access(self, node: syntax.Access, local: Mapping[str, Type]) -> Tree:
        if isinstance(node.of, syntax.Name) and node.of.name not in local:
            if node.of.name == "rulings":
                return self.setting(node, "ruling", self.names.rulings)
            if node.of.name == "options":
                return self.setting(node, "option", self.names.options)
        of = self.check(node.of, local)
        type_ = _type(of)
        while type_.head in ("optional", "slot"):
            type_ = type_.args[0]
        if type_.head == "kind":
            columns, form = self.names.columns.get(type_.name, {}), "attr"
        elif type_.head == "record":
            columns, form = self.names.records[type_.name], "field"
        else:
            raise self.fail(node, f"{_said(type_)} has no fields, found .{node.field}",
                            hint=for_no_field(node.field))
        if node.field not in columns:
            raise self.fail(node, f"{type_} has no field {node.field!r}", "unknown-field",
                            closest(node.field, columns))
        return {form: node.field, "of": of, "type": columns[node.field]}

    def setting(self, node: syntax.Access, form: str, known: Mapping[str, Any]) -> Tree:
        if node.field not in known:
            hint = closest(node.field, known) or f"the {form}s are {', '.join(known)}"
            raise self.fail(node, f"unknown {form} {node.field!r}", f"unknown-{form}", hint)
        type_ = (
            Type("kind", name=f"rulings.{node.field}")
            if form == "ruling"
            else self.names.options[node.field]
        )
        return {"get": form, "name": node.field, "type": type_}

    # -- parts -------------------------------------------------------------------------------

    def index(self, node: syntax.Index, local: Mapping[str, Type]) -> Tree:
        of = self.check(node.of, local)
        type_ = _type(of)
        if type_.head == "map":
            at = self.check(node.index, local, type_.args[0])
            self.fit(at, type_.args[0], node.index)
            return {"key": at, "of": of, "type": type_.args[1]}
        if type_.head not in ("list", "stack"):
            raise self.fail(node, f"expected a map, a list or a stack before '[', found {type_}")
        at = self.check(node.index, local, INT)
        self.fit(at, INT, node.index)
        return {"op": "index", "args": [of, at], "type": type_.args[0]}

    def conditional(
        self, node: syntax.Conditional, local: Mapping[str, Type], wanted: Type | None
    ) -> Tree:
        condition = self.fit(self.check(node.condition, local, BOOL), BOOL, node.condition)
        then = self.check(node.then, local, wanted)
        other = self.check(node.otherwise, local, wanted)
        if mentions_text(_type(then)) and not mentions_text(_type(other)):
            then = self.check(node.then, local, _type(other))
        elif mentions_text(_type(other)) and not mentions_text(_type(then)):
            other = self.check(node.otherwise, local, _type(then))
        a, b = _type(then), _type(other)
        if a == NULL and b != NULL:
            type_ = b if b.head in ("optional", "slot") else Type("optional", (b,))
        elif b == NULL and a != NULL:
            type_ = a if a.head in ("optional", "slot") else Type("optional", (a,))
        elif fits(a, b) and not (_may_be_absent(a) and fits(b, a)):
            type_ = b
        elif fits(b, a):
            type_ = a
        else:
            raise self.fail(node, f"the two results differ: {_said(a)} and {_said(b)}")
        return {"if": [condition, then, other], "type": type_}

    def list_literal(
        self, node: syntax.ListLiteral, local: Mapping[str, Type], wanted: Type | None
    ) -> Tree:
        inner = wanted.args[0] if wanted is not None and wanted.head == "list" else None
        items = [self.check(item, local, inner) for item in node.items]
        if inner is None:
            known = [t for t in map(_type, items) if not mentions_text(t) and t != NULL]
            inner = known[0] if known else (_type(items[0]) if items else ANY)
            items = [self.check(item, local, inner) for item in node.items]
        for item, source in zip(items, node.items, strict=True):
            self.fit(item, inner, source) if inner != TEXT else None
        return {"list": items, "type": list_of(inner)}

    def record_literal(self, node: syntax.RecordLiteral, local: Mapping[str, Type]) -> Tree:
        fields = self.names.records.get(node.name)
        if fields is None:
            raise self.fail(node, f"unknown record {node.name!r}", "unknown-name",
                            closest(node.name, self.names.records))
        given = dict(node.fields)
        for name in given:
            if name not in fields:
                raise self.fail(node, f"{node.name} has no field {name!r}", "unknown-field",
                                closest(name, fields))
        missing = [name for name in fields if name not in given]
        if missing:
            raise self.fail(node, f"{node.name} needs the field(s) {', '.join(missing)}")
        return {
            "record": node.name,
            "fields": {
                name: self.fit(self.check(given[name], local, type_), type_, given[name])
                for name, type_ in fields.items()
            },
            "type": Type("record", name=node.name),
        }

    # -- operators, functions, macros ----------------------------------------------------------

    def call(self, node: syntax.Call, local: Mapping[str, Type]) -> Tree:
        if node.receiver and node.name in MACROS and len(node.args) == 3:
            return self.macro(node, local)
        if node.name in self.names.functions:
            return self.function(node, local)
        macro = node.receiver and node.name in MACROS
        if node.name in OVERLOADS and node.name.isidentifier() and node.name != "in":
            fitting = any(len(f.params) == len(node.args) for f in OVERLOADS[node.name])
            if fitting or not macro:
                return self.operator(node, node.name, node.args, local)
        if macro:
            raise self.fail(node, f"{node.name} needs a name and an expression: "
                            f"list.{node.name}(x, ...)", "arguments")
        known = [*self.names.functions, *(MACROS if node.receiver else ()),
                 *(n for n in OVERLOADS if n.isidentifier())]
        hint = for_function(node.name, known)
        if node.name in self.names.below:
            hint = "a function sees only those above it"
        raise self.fail(node, f"unknown function {node.name!r}", "unknown-function", hint)

    def function(self, node: syntax.Call, local: Mapping[str, Type]) -> Tree:
        params, result = self.names.functions[node.name]
        if len(params) != len(node.args):
            takes = ", ".join(f"{k}: {t}" for k, t in params.items()) or "nothing"
            raise self.fail(node, f"{node.name} takes ({takes}), found {len(node.args)} "
                            "argument(s)", "arguments")
        args = [
            self.fit(self.check(arg, local, type_), type_, arg)
            for arg, type_ in zip(node.args, params.values(), strict=True)
        ]
        return {"call": node.name, "args": args, "type": result}

    def operator(
        self,
        node: syntax.Node,
        name: str,
        operands: Sequence[syntax.Node],
        local: Mapping[str, Type],
    ) -> Tree:
        forms = [f for f in OVERLOADS[name] if len(f.params) == len(operands)]
        if not forms:
            counts = sorted({len(f.params) for f in OVERLOADS[name]})
            raise self.fail(node, f"{name} takes {' or '.join(map(str, counts))} argument(s), "
                            f"found {len(operands)}", "arguments")
        trees = [self.check(o, local) for o in operands]
        for form in forms:
            bound: dict[str, Type] = {}
            # a quoted name takes the type that the other operands give to T, so it comes last
            order = sorted(range(len(trees)), key=lambda i: mentions_text(_type(trees[i])))
            if all(unify(form.params[i], _type(trees[i]), bound) for i in order):
                final = list(trees)
                for i, operand in enumerate(operands):
                    if mentions_text(_type(trees[i])):
                        wanted = substitute(form.params[i], bound)
                        final[i] = self.fit(self.check(operand, local, wanted), wanted, operand)
                result = substitute(form.result, bound)
                return {"op": form.id, "args": final, "type": result or ANY}
        found = " and ".join(_said(_type(t)) for t in trees)
        wanted_text = " or ".join(
            " and ".join("anything" if str(p) == "T" else str(p).replace("T", "...")
                         for p in f.params) for f in forms
        )
        if name in ("==", "!="):
            raise self.fail(node, f"cannot compare {found}")
        raise self.fail(node, f"{name} takes {wanted_text}, found {found}")

    def macro(self, node: syntax.Call, local: Mapping[str, Type]) -> Tree:
        macro = MACROS[node.name]
        source, variable, body_node = node.args
        over = self.check(source, local)
        item = element(_type(over))
        if item is None:
            raise self.fail(source, f"cannot go through {_type(over)}")
        if not isinstance(variable, syntax.Name):
            raise self.fail(variable, f"expected a name for the elements: {node.name}(x, ...)")
        if variable.name in local or variable.name in self.names.words():
            raise self.fail(variable, f"{variable.name!r} hides another name", "hides",
                            "choose another name")
        wanted = {"bool": BOOL, "int": INT, "more": list_of(item)}.get(macro.body)
        if macro.body == "more" and item.head not in ("kind", "player"):
            # of these there are only so many, so it comes to an end
            raise self.fail(source, f"{node.name} goes through members of a kind or players, "
                            f"found {_said(item)}")
        body = self.check(body_node, {**local, variable.name: item}, wanted)
        self.fit(body, wanted, body_node)
        if macro.body == "list" and element(_type(body)) is None:
            raise self.fail(body_node, f"expected a list, found {_type(body)}")
        result = {
            "bool": BOOL,
            "int": INT,
            "list": list_of(item),
            "list of body": list_of(_type(body)),
            "body": list_of(element(_type(body)) or ANY),
            "optional": Type("optional", (item,)),
        }[macro.result]
        return {"macro": macro.name, "over": over, "as": variable.name, "body": body,
                "type": result}


def plain(value: Any) -> Any:
    """Return a typed tree with type texts in the place of types: pure JSON.

    Parameters
    ----------
    value : dict, list or scalar
        What :func:`check_expression` returned.
    """
    if isinstance(value, Type):
        return str(value)
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, list):
        return [plain(v) for v in value]
    return value
