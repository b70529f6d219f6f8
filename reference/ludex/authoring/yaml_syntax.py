"""PyYAML's complaints in plain words, with the likely fix.

What PyYAML reports is true but terse ("could not find expected ':'"). Its wording is not a
promise, so every entry here falls back to the original words.
"""

from __future__ import annotations

import re
from typing import Any, Final

from yaml.error import MarkedYAMLError

from ludex.errors import Place, SpecError

__all__ = ["place_of", "syntax_error"]

_QUOTE_IN_FLOW: Final = (
    "inside {...} and [...] quote every text that holds , ? : [ ] { } or a comment sign, "
    'expressions above all: "a ? b : c"'
)
_QUOTE_WHOLE: Final = (
    "text that begins with a quote ends at the next one: quote the whole of it, "
    "with the other kind of quote inside"
)
_INDENT: Final = "entries of one mapping or list begin in the same column; check the indentation"

_TOKENS: Final = {
    "<block end>": "the end of the indented part",
    "<block mapping start>": "a key",
    "<block sequence start>": "a list entry",
    "<document end>": "the document end mark ...",
    "<document start>": "the document mark ---",
    "<scalar>": "more text",
    "<stream end>": "the end of the file",
    "?": "a key or '?'",
}


def place_of(mark: Any, file: str) -> Place:
    """Return a mark of PyYAML, which counts from 0, as a place."""
    return Place(file, mark.line + 1, mark.column + 1)


def syntax_error(error: MarkedYAMLError, file: str) -> SpecError:
    """Return an error of PyYAML's scanner or parser in plain words.

    Parameters
    ----------
    error : MarkedYAMLError
        What PyYAML raised.
    file : str
        How places name the file.
    """
    problem = error.problem or "found a syntax error"
    begin = place_of(error.context_mark, file) if error.context_mark else None
    here = place_of(error.problem_mark, file) if error.problem_mark else begin or Place(file)
    code = "yaml.syntax"
    place = here

    if problem == "could not find expected ':'":
        place = begin or here
        message = "expected a key followed by ':', found text without it"
        hint = (
            "a key is written `key: value` on one line; text that goes on in a further line is "
            "indented deeper than its key"
        )
    elif problem == "mapping values are not allowed here":
        message = "expected the rest of the text, found ':' as after a key"
        hint = "quote text that holds ': '; if a key was meant, check its indentation "
        hint += "and the ':' of the line before"
    elif problem.startswith(("expected ',' or ']'", "expected ',' or '}'")):
        close = problem[len("expected ',' or '")]
        opener = "[" if close == "]" else "{"
        found = _token(problem)
        since = f"the {opener!r} of line {begin.line}, column {begin.column}" if begin else opener
        message = f"expected ',' or {close!r} to go with {since}, found {found}"
        hint = _QUOTE_IN_FLOW
        if found == _TOKENS["<stream end>"]:
            place, hint = begin or here, f"close it with {close!r}"
    elif problem.startswith("expected <block end>"):
        since = f" begun in line {begin.line}, column {begin.column}" if begin else ""
        kind = "mapping" if "mapping" in (error.context or "") else "list"
        message = f"expected the next entry of the {kind}{since}, found {_token(problem)}"
        hint = _QUOTE_WHOLE if problem.endswith("'<scalar>'") else _INDENT
    elif problem.startswith("expected the node content"):
        message = f"expected a value, found {_token(problem)}"
        hint = "quote the text if it begins with this character"
    elif problem.startswith("expected '<document start>'"):
        message = f"expected the end of the file, found {_token(problem)}"
        hint = _QUOTE_WHOLE if problem.endswith("'<scalar>'") else _INDENT
    elif problem.startswith("found character '\\t'"):
        code = "yaml.tab"
        message = "expected spaces, found a tab"
        hint = "indent with spaces only; a tab may stand inside quotes"
    elif problem.startswith("found character"):
        message = f"expected a value or a key, found the character {_character(problem)}"
        hint = "no bare text can begin with it: quote the text"
    elif problem == "found unexpected end of stream":
        place = begin or here
        message = "expected a closing quote for the one here, found the end of the file"
        hint = "close the quote; inside single quotes a single quote is written twice"
    elif problem == "found unexpected document separator":
        message = "expected a closing quote, found a document mark"
        hint = "close the quote, or indent the line"
    elif problem.startswith("found unknown escape character"):
        message = f'expected an escape such as \\n or \\", found \\ and {_character(problem)}'
        hint = r"in double quotes write \\ for one backslash, or use single quotes"
    elif problem.startswith("expected escape sequence"):
        message = problem.replace("but found", "found", 1).replace("escape sequence of ", "", 1)
        message = message.replace("hexadecimal numbers", "hexadecimal digits")
        hint = r"in double quotes write \\ for one backslash, or use single quotes"
    elif problem == "sequence entries are not allowed here":
        message = "expected a value on this line, found a list entry"
        hint = "begin the list on the next line, or quote text that begins with '- '"
    elif problem == "mapping keys are not allowed here":
        message = "expected a value, found '? '"
        hint = "quote text that begins with '? '"
    elif "block scalar" in (error.context or ""):
        message = problem.replace(", but found", ", found")
        hint = (
            "| and > begin a text of several lines and end their own line; "
            "quote an expression that begins with them"
        )
    else:
        message, hint = problem.replace(", but found", ", found"), "quote the text"
    return SpecError(message, code=code, place=place, hint=hint)


def _token(problem: str) -> str:
    found = re.search(r"(?:found|got) '(.*)'$", problem)
    name = found[1] if found else "something else"
    return _TOKENS.get(name, repr(name))


def _character(problem: str) -> str:
    found = re.search(r"character ('.+?'|\".+?\")(?: |$)", problem)
    return found[1] if found else "here"
