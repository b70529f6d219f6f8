"""Escaping: words of a spec are never markup."""

from __future__ import annotations

import pytest

from ludex.pages.markup import anchor, code, esc, heading, raw, raw_lines, table

WORDS = [
    "<script>alert(1)</script>",
    "[x](javascript:alert(1))",
    "![x](http://a.example/b.png)",
    "a *b* _c_ **d** `e` ~~~ f",
    "# no heading",
    "1. no list",
    "- no list",
    "+ no list",
    "> no quote",
    "=== no tab",
    "a | b",
    "{: onclick=alert(1) }",
    "{ #other }",
    "&lt;b&gt; &amp;",
    "\\*",
    "a\n\n    no code\n\nb",
]


@pytest.mark.parametrize("words", WORDS)
def test_what_markdown_makes_of_escaped_words_are_the_words(words: str) -> None:
    markdown = pytest.importorskip("markdown", reason="needs the docs extra")
    html = markdown.markdown(
        f"{esc(words)}\n",
        extensions=["attr_list", "md_in_html", "tables", "admonition", "toc"],
    )
    assert _text(html) == ("p", " ".join(words.split()))


@pytest.mark.parametrize("words", WORDS)
def test_the_same_in_code_headings_and_cells(words: str) -> None:
    markdown = pytest.importorskip("markdown", reason="needs the docs extra")
    plain = " ".join(words.split())
    page = heading(2, esc(words), "here") + "\n" + table([code("h")], [[code(words)]])
    html = markdown.markdown(page, extensions=["attr_list", "md_in_html", "tables"])
    head, cells = html.split("</h2>")
    assert head.startswith('<h2 id="here">')
    assert _text(head + "</h2>") == ("h2", plain)
    cell = cells.split("<td>")[1].split("</td>")[0]
    assert _text(cell) == ("code", plain)


def _text(html: str) -> tuple[str, str]:
    """Return the only element of some HTML, and its text."""
    from xml.etree import ElementTree

    root = ElementTree.fromstring(html.strip())
    assert not list(root), html
    return root.tag, root.text or ""


def test_raw_text_is_escaped_and_on_one_line() -> None:
    assert raw('<b a="1">\n &') == "&#60;b a=&#34;1&#34;&#62; &#38;"
    assert raw("a\x1b(31mb\u202e") == "a?(31mb?"
    assert raw_lines(["a", "  <b>"]) == "a\n  &#60;b&#62;"


def test_anchors_are_plain_whatever_the_name() -> None:
    assert anchor("rule", "4.4") == "rule-4-4"
    assert anchor("ruling", "flea_count", "seen") == "ruling-flea-count-seen"
    assert anchor("rule", '"><script>') == "rule-script"
