"""The generated pages: anchors, links, escaping, what they say."""

from __future__ import annotations

import json
import re
from collections import Counter
from html import unescape
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any
from xml.etree import ElementTree

import pytest

from ludex.errors import UsageError
from ludex.pages import GameSource, Site, site
from ludex.pages.examples import examples_page
from ludex.pages.markup import anchor
from ludex.pages.rules import rules_page
from ludex.pages.tables import fill_tables

DOCS = Path(__file__).resolve().parents[2] / "docs"
LINK = re.compile(r"\]\(([^)\s]+)\)")
ANCHOR = re.compile(r'\{ #([\w-]+) \}|\bid="([\w-]+)"')
SVG = re.compile(r"<svg .*?</svg>", re.DOTALL)


def anchors(text: str) -> list[str]:
    return [a or b for a, b in ANCHOR.findall(text)]


def test_every_rule_ruling_and_example_has_its_anchor(
    sources: list[GameSource], whole: Site
) -> None:
    for source in sources:
        base = f"games/{source.document['game']}"
        for page, kind, names in (
            ("rules.md", "rule", source.text["rules"]),
            ("rulings.md", "ruling", source.text["rulings"]),
            ("examples.md", "example", [e["id"] for e in source.text["examples"]]),
        ):
            found = anchors(whole.pages[f"{base}/{page}"])
            missing = [n for n in names if anchor(kind, n) not in found]
            assert not missing, (base, page)


def test_no_anchor_is_there_twice(whole: Site) -> None:
    for name, text in whole.pages.items():
        twice = [a for a, count in Counter(anchors(text)).items() if count > 1]
        assert not twice, name


def test_every_internal_link_leads_somewhere(whole: Site) -> None:
    broken = []
    known = {name: set(anchors(text)) for name, text in whole.pages.items()}
    for name, text in whole.pages.items():
        for target in LINK.findall(text):
            path, _, fragment = target.partition("#")
            page = normpath(join(dirname(name), path)) if path else name
            if page in whole.pages:
                good = not fragment or fragment in known[page]
            else:
                good = (DOCS / page).is_file() and not fragment
            if not good:
                broken.append((name, target))
    assert not broken


def test_the_menu_has_every_page_once(whole: Site) -> None:
    named = re.findall(r'"(games/[^"]*\.md)"', json.dumps(whole.menu))
    assert sorted(named) == sorted(whole.pages)


def test_every_drawing_is_well_formed_and_uses_symbols_that_there_are(whole: Site) -> None:
    drawings = 0
    for name, text in whole.pages.items():
        known = set(anchors(text))
        for svg in SVG.findall(text):
            root = ElementTree.fromstring(svg)
            drawings += 1
            for use in root.iter("{http://www.w3.org/2000/svg}use"):
                assert use.get("href", "").removeprefix("#") in known, name
            if root.get("aria-hidden") != "true":
                assert root.get("role") == "img"
                assert root.findtext("{http://www.w3.org/2000/svg}title")
    assert drawings > 100


def test_all_examples_hold_and_the_pages_are_the_same_every_time(
    sources: list[GameSource], whole: Site
) -> None:
    assert whole.problems == []
    # again, of the two that take the least time, and in the other order
    again = [s for s in sources if s.document["game"] in ("poodle-taxi", "two-piles")]
    pages = site(again[::-1]).pages
    assert len(pages) == 1 + 2 * 7
    del pages["games/index.md"]
    assert {name: whole.pages[name] for name in pages} == pages


def test_an_example_that_does_not_hold_is_reported_and_shown(minimal: GameSource) -> None:
    document = json.loads(json.dumps(minimal.document))
    document["text"]["examples"][0]["steps"][0] = {"actors": ["p2"]}
    source = GameSource(document, minimal.sets, lambda name: document)
    text, problems = examples_page(source)
    assert problems == ["example a-whole-game, step 1: the actors differ"]
    assert 'class="admonition failure"' in text


def test_one_game_twice_is_refused(minimal: GameSource) -> None:
    with pytest.raises(UsageError, match="two games are called 'two-piles'"):
        site([minimal, minimal])


# -- what they say ---------------------------------------------------------------------------


def part(text: str, identifier: str) -> str:
    """Return a page from an anchor to the next heading."""
    return text.split(f"{{ #{identifier} }}")[1].split("\n##")[0]


def test_a_rule_shows_its_clauses_examples_and_rulings(poodle: GameSource) -> None:
    found = part(rules_page(poodle), "rule-5-2")
    assert "the player must take every card that lies to the right of the played card" in found
    found = unescape(found)
    assert "rulebook: Turn, NO, sentence 4; Turn, YES, sentence 2" in found
    assert "move range [at + 1, size(row)) of row to fleas[p]" in found
    assert re.search(r"<small>game\.yaml:\d+</small>", found)
    assert "examples.md#example-new-colour-mirrored" in found
    assert "rulings.md#ruling-own-stack" in part(rules_page(poodle), "rule-5-5")


def test_an_informal_rule_says_why(poodle: GameSource) -> None:
    found = part(rules_page(poodle), "rule-8-6")
    assert "*Informal:* It follows from the whole of sections 2 to 6" in found
    assert "formal clause" not in found


def test_a_choice_shows_its_readings_and_the_default(whole: Site) -> None:
    found = part(whole.pages["games/two-piles/rulings.md"], "ruling-taken-cards")
    assert re.search(r'id="ruling-taken-cards-open".*\*\*\(default\)\*\*: Everybody\.', found)
    assert re.search(r'id="ruling-taken-cards-closed"></span><code>closed</code>: Their owner\.',
                     found)


def test_an_example_tells_moves_refusals_and_the_outcome(minimal: GameSource) -> None:
    found = part(examples_page(minimal)[0], "example-a-whole-game")
    assert "**p1**: take red 2" in found
    assert "✗ **p1** may not: take red 2. Rule [<code>2.2</code>](rules.md#rule-2-2)" in found
    assert "**p1** and **p2** win; returns: p1 3, p2 3." in found
    # at the start, after each of four moves, and one view
    assert found.count('class="lx-scene"') == 6
    drawn = [scene.count('class="lx-zone') for scene in found.split('class="lx-scene"')[1:]]
    # the start and the last move show both variables, the others what they change
    assert drawn[0] == drawn[-2] == 2
    assert 1 in drawn[1:-2]


def test_the_provenance_of_components_is_shown(whole: Site) -> None:
    found = part(whole.pages["games/poodle-taxi/formal.md"], "set-standard")
    rows = [[c.strip() for c in line.strip("| ").split(" | ")] for line in found.splitlines()
            if line.startswith("| <code>")]
    assert [r[2] for r in rows] == ["rulebook", "illustrative", "derived"]
    assert "colour-5" in rows[1][1]


def test_tables_are_filled_and_unknown_ones_refused() -> None:
    filled = fill_tables("a\n\n<!-- ludex: operators -->\n")
    assert "<code>next&#95;player</code> | <code>player -&#62; player</code>" in filled
    assert "| <code>&#124;&#124;</code> | <code>bool, bool -&#62; bool</code> |" in filled
    with pytest.raises(UsageError, match="there is no table 'operatrs'"):
        fill_tables("<!-- ludex: operatrs -->")


# -- hostile words ---------------------------------------------------------------------------

EVIL = "\"'><script>alert(1)</script><!-- [x](javascript:alert(1)) `*_ | {: onclick=y }"


@pytest.fixture(scope="module")
def hostile(minimal: GameSource) -> Site:
    """A game whose words, ids and members all try to be markup."""
    text = json.dumps(minimal.document)
    for word in ("2.4", "blue-one", "taken_cards", "a-whole-game", "Two Piles", "Setup", "Pile",
                 "No machine sees it.", "Take a card", "Everybody.", "The text is silent.",
                 "you have a card of this colour", "nobody has more than two cards", "R03",
                 "taken[actor].all(c, c.colour != card.colour)", "Sentence 2", "take {card}",
                 "{colour} {points}", "{colour}", "Both take both colours", "legality", "medium"):
        assert json.dumps(word) in text, word
        text = text.replace(json.dumps(word), json.dumps(f"{word}{EVIL}"))
    document = json.loads(text)
    sets: Any = json.loads(json.dumps(minimal.sets).replace('"Two cards"', json.dumps(EVIL)))
    source = GameSource(document, sets, lambda name: document, [EVIL])
    return site([source])


def test_hostile_words_are_only_words(hostile: Site) -> None:
    for name, text in hostile.pages.items():
        assert "<script" not in text, name
        assert "<!--" not in text, name
        assert "[x](" not in text, name
        for svg in SVG.findall(text):
            ElementTree.fromstring(svg)
    assert "<script" not in json.dumps(hostile.menu)


def test_and_markdown_makes_no_markup_of_them(hostile: Site) -> None:
    markdown = pytest.importorskip("markdown", reason="needs the docs extra")
    for name, text in hostile.pages.items():
        html = markdown.markdown(
            text, extensions=["attr_list", "md_in_html", "tables", "admonition", "toc"]
        )
        assert "<script" not in html, name
        assert not re.search(r'href="(?!#|[\w./-]+\.md)', html.replace("#lx-", "#")), name
        assert not re.search(r"<[^>]*\sonclick", html), name
