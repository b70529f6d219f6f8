"""Turn the events of a YAML parser into plain data with places, and find what authors get wrong.

Errors that leave the rest readable (a duplicate key, a bare ``no``) are collected, so that one
run shows them all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from ludex.authoring.yaml_document import Node
from ludex.authoring.yaml_scalars import Complaint, resolve
from ludex.errors import Place, SpecError

__all__ = ["Builder"]

# Escapes in double quotes can still make these; nothing downstream can encode or show them.
_UNUSABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
# What hardly stands in a key unless an expression has been split.
_OPERATOR = re.compile(r"[()<>=!&|+*/?\[\]]")
_LONGEST_QUOTE = 70


@dataclass(slots=True)
class _Open:
    """A mapping or list whose end has not come yet."""

    node: Node
    mapping: bool
    flow: bool
    key: Node | None = None
    #: Of a flow collection, in order: (key or entry, has it a value of its own?).
    parts: list[tuple[Node, bool]] = field(default_factory=list)


class Builder:
    """Builds one document.

    Parameters
    ----------
    text : str
        The source.
    file : str
        How places name it.

    Attributes
    ----------
    root : Node or None
        The outermost value, once it has begun.
    errors : list of SpecError
        What was found so far.
    """

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.root: Node | None = None
        self.errors: list[SpecError] = []
        self._open: list[_Open] = []

    def scalar(self, event: Any) -> None:
        """Take a ``ScalarEvent``: a key or a value."""
        mark = event.start_mark
        node = Node(
            event.value,
            mark.index,
            event.end_mark.index,
            mark.line + 1,
            mark.column + 1,
            event.style or "",
        )
        if not node.style:
            if not self._open and node.start == node.end:
                return  # an empty document
            value = resolve(event.value)
            if isinstance(value, Complaint):
                hint = f'quote it: "{event.value}"' if self._wants_key() else value.hint
                self._complain(value.code, value.message, node, hint)
            else:
                node.value = value
        elif _UNUSABLE.search(node.value):
            self._complain(
                "yaml.character",
                "expected printable text, found an escape for what cannot be printed",
                node,
                r"write \n or \t, or leave it out",
            )
        self._place_node(node)

    def begin(self, event: Any, *, mapping: bool) -> None:
        """Take a ``CollectionStartEvent``: the beginning of a mapping or list."""
        mark = event.start_mark
        flow = bool(event.flow_style)
        style = ("{" if mapping else "[") if flow else (":" if mapping else "-")
        node = Node(
            {} if mapping else [], mark.index, mark.index, mark.line + 1, mark.column + 1, style
        )
        if self._wants_key():
            # Without a key there is nowhere to put what follows.
            raise SpecError(
                f"expected a string as key, found a {'mapping' if mapping else 'list'}",
                code="yaml.key",
                place=self._place(node),
                hint="quote the key if it is text",
            )
        if mapping and flow and self.text[mark.index] != "{":
            self._complain(
                "yaml.pair-in-list",
                "expected ',' or ']' after this list entry, found ':'",
                node,
                'quote it if it is text: "a: b"; if it is a mapping write {a: b}',
            )
        self._place_node(node)
        self._open.append(_Open(node, mapping, flow))

    def end(self, event: Any) -> None:
        """Take a ``CollectionEndEvent``: the end of what began last."""
        ended = self._open.pop()
        ended.node.end = event.end_mark.index
        if ended.flow:
            self._check_split(ended)

    def _wants_key(self) -> bool:
        return bool(self._open) and self._open[-1].mapping and self._open[-1].key is None

    def _place_node(self, node: Node) -> None:
        if not self._open:
            self.root = node
            return
        parent = self._open[-1]
        if not parent.mapping:
            parent.node.items.append(node)
            parent.node.value.append(node.value)
            if parent.flow:
                parent.parts.append((node, True))
        elif parent.key is None:
            parent.key = node
        else:
            self._entry(parent, parent.key, node)
            parent.key = None

    def _entry(self, parent: _Open, key: Node, node: Node) -> None:
        if node.start == node.end and not node.style and self.text[node.start - 1] != ":":
            if parent.flow:
                parent.parts.append((key, False))  # reported when the whole is known
            else:
                self._no_value(key)
        elif parent.flow:
            parent.parts += ((key, True), (node, True))
        if not isinstance(key.value, str):
            found = "nothing" if key.value is None else self.text[key.start : key.end]
            self._complain(
                "yaml.key",
                f"expected a string as key, found {found}",
                key,
                f'quote it: "{found}"' if key.value is not None else "write a key before the ':'",
            )
            return
        if key.value == "<<" and not key.style:
            self._complain(
                "yaml.merge",
                "expected a key, found the merge key <<, which is not allowed here",
                key,
                "write the entries out",
            )
            return
        first = parent.node.entries.get(key.value)
        if first:
            self._complain(
                "yaml.duplicate-key",
                f"expected each key once, found {_short(key.value)} again; "
                f"the first is at {self._place(first[0])}",
                key,
                "remove one of them, or join them",
            )
            return
        parent.node.entries[key.value] = (key, node)
        parent.node.value[key.value] = node.value

    def _check_split(self, ended: _Open) -> None:
        """Report text that commas have split: ``{that: f(a, b) == 0}``, ``[f(a, b)]``."""
        parts = ended.parts
        at = 0
        while at < len(parts):
            node, valued = parts[at]
            if valued and _balance(node) <= 0:
                at += 1
                continue
            last = at + 1
            if valued:
                # An open bracket: the text goes on until it is closed, or up to the next key.
                level = _balance(node)
                while last < len(parts) and level > 0 and _is_piece(ended, parts[last]):
                    level += _balance(parts[last][0])
                    last += 1
                first = at
            else:
                first = at - 1 if at and _is_bare(parts[at - 1][0]) else at
            while ended.mapping and last < len(parts) and not parts[last][1]:
                last += 1
            self._report_run(parts[first:last])
            at = last

    def _report_run(self, run: list[tuple[Node, bool]]) -> None:
        whole = self.text[run[0][0].start : run[-1][0].end]
        if any(valued and _balance(node) > 0 for node, valued in run) or (
            len(run) > 1 and _OPERATOR.search(whole)
        ):
            closed = whole.count("(") == whole.count(")")
            corrected = closed and len(whole) <= _LONGEST_QUOTE and '"' not in whole
            self._complain(
                "yaml.split",
                f"expected one text, found {_short(whole)}, which its comma splits",
                run[0][0],
                "quote the expression" + (f': "{whole}"' if corrected else ""),
            )
            return
        for node, valued in run:
            if not valued:
                self._no_value(node)

    def _no_value(self, key: Node) -> None:
        text = self.text[key.start : key.end]
        self._complain(
            "yaml.missing-value",
            f"expected ': ' and a value after the key {_short(text)}, found none",
            key,
            "quote the expression: a comma outside quotes ends it"
            if _OPERATOR.search(text)
            else "write `key: value`, with a space behind the colon; quote text that holds commas",
        )

    def _complain(self, code: str, message: str, node: Node, hint: str) -> None:
        self.errors.append(SpecError(message, code=code, place=self._place(node), hint=hint))

    def _place(self, node: Node) -> Place:
        return Place(self.file, node.line, node.column)


def _is_bare(node: Node) -> bool:
    return node.style == "" and isinstance(node.value, str)


def _balance(node: Node) -> int:
    """Return how many round brackets a bare text leaves open."""
    if not _is_bare(node):
        return 0
    text: str = node.value
    return text.count("(") - text.count(")")


def _is_piece(ended: _Open, part: tuple[Node, bool]) -> bool:
    """Tell whether what follows an open bracket can belong to the same text."""
    return not part[1] if ended.mapping else part[0].style not in ("{",)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return repr(text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 3] + "...")
