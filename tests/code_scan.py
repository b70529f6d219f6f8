"""Finds every error code that the sources can raise, by reading them.

A code is a literal with a known family (``"usage.port"``), or is put together by one of the
functions of `MADE`, whose arguments are read.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("reference/ludex", "conformance/ludex_tck")
FAMILIES = (
    "engine", "eval", "example", "export", "expression", "hello", "json", "move", "perft", "play",
    "protocol", "record", "rules", "schema", "spec", "symmetry", "tape", "usage", "value", "yaml",
)
#: ``rules.yaml`` is a file.
ENDINGS = ("json", "md", "yaml")
#: Method to the family of its code, its position among the arguments, and what it is if absent.
MADE = {
    "error": ("spec", 1, None),
    "fail": ("expression", 2, "type"),
    "_refuse": ("yaml", 0, None),
}
#: What the placeholders of codes stand for.
HOLES = {
    "spec.unknown-{what}": ("rule", "statement", "ruling"),
    "expression.unknown-{form}": ("ruling", "option"),
    "usage.unknown-{what}": ("ruling", "option"),
    "usage.{what}-value": ("ruling", "option"),
    "spec.{code}": (),  # the function that `MADE` describes
    "yaml.{code}": (),
    "expression.{code}": (),
}


def sources() -> Iterator[Path]:
    for folder in FOLDERS:
        yield from sorted((ROOT / folder).rglob("*.py"))


def raised() -> dict[str, str]:
    """Return each code with a place where it is made."""
    found: dict[str, str] = {}
    for path in sources():
        tree = ast.parse(path.read_text("utf-8"))
        for node, code in _codes(tree):
            found.setdefault(code, f"{path.relative_to(ROOT).as_posix()}:{node.lineno}")
    return found


def _codes(tree: ast.Module) -> Iterator[tuple[ast.expr, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from _made(node)
            for keyword in node.keywords:
                if keyword.arg == "code":
                    for text in _texts(keyword.value):
                        yield from ((keyword.value, c) for c in _filled(text))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            family, dot, rest = node.value.partition(".")
            if dot and family in FAMILIES and _is_name(rest):
                yield node, node.value
        elif isinstance(node, ast.ClassDef):
            for item in node.body:
                if isinstance(item, ast.Assign) and _first_target(item) == "code":
                    value = item.value
                    first = value.elts[0] if isinstance(value, ast.Tuple) else value
                    yield from ((first, text) for text in _texts(first))


@cache
def templates() -> dict[str, list[str]]:
    """Return patterns of the messages of codes, as far as both stand in one call."""
    found: dict[str, list[str]] = {}
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            codes = [c for _, c in _made(node)]
            for keyword in node.keywords:
                if keyword.arg == "code":
                    codes += [c for text in _texts(keyword.value) for c in _filled(text)]
            # the message of an expression's error comes second, behind the node
            name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            at = 1 if name in ("fail", "_complain") else 0
            words = node.args[at] if len(node.args) > at else None
            for code in codes:
                patterns = [_pattern(text) for text in _texts(words)] if words is not None else []
                found.setdefault(code, []).extend(patterns or [".*"])
    return found


def _pattern(text: str) -> str:
    return ".*".join(re.escape(part) for part in re.split(r"\{[^{}]*\}", text))


def _made(call: ast.Call) -> Iterator[tuple[ast.expr, str]]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if name not in MADE:
        return
    family, position, usual = MADE[name]
    if len(call.args) > position:
        for text in _texts(call.args[position]):
            for code in _filled(text if text.startswith(f"{family}.") else f"{family}.{text}"):
                yield call, code
    elif usual is not None and call.args and len(call.args) >= 2:
        yield call, f"{family}.{usual}"


def _texts(node: ast.expr) -> Iterator[str]:
    """Yield the texts that an expression may be; placeholders as ``{name}``."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(
            str(p.value) if isinstance(p, ast.Constant) else f"{{{ast.unparse(p.value)}}}"  # type: ignore[attr-defined]
            for p in node.values
        )
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)


def _filled(text: str) -> Iterator[str]:
    if "{" not in text:
        yield text
        return
    assert text in HOLES, f"what does {text} stand for? say it in HOLES"
    for word in HOLES[text]:
        yield text[: text.index("{")] + word + text[text.index("}") + 1 :]


def _first_target(item: ast.Assign) -> str:
    target = item.targets[0]
    first = target.elts[0] if isinstance(target, ast.Tuple) else target
    return first.id if isinstance(first, ast.Name) else ""


def _is_name(text: str) -> bool:
    return re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", text) is not None and text not in ENDINGS
