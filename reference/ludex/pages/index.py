"""The first page of a game, and the list of all games."""

from __future__ import annotations

from collections.abc import Sequence

from ludex.pages.markup import code, esc, heading, link, raw_lines, table
from ludex.pages.source import GameSource

__all__ = ["game_page", "games_page"]


def games_page(sources: Sequence[GameSource]) -> str:
    """Return the Markdown of the list of games."""
    rows = []
    for source in sources:
        document = source.document
        rows.append([
            link(esc(document["title"]), f"{document['game']}/index.md"),
            esc(_players(document["players"])),
            esc(document["edition"]),
            str(len(source.text["rules"])),
            str(len(source.text["examples"])),
        ])
    return "\n".join([
        heading(1, "Games"),
        table(["game", "players", "edition", "rules", "examples"], rows),
    ])


def game_page(source: GameSource) -> str:
    """Return the Markdown of a game's first page."""
    document, text = source.document, source.text
    game = document["game"]
    rules = text["rules"].values()
    rulings = text["rulings"].values()
    informal = sum(r["status"] == "informal" for r in rules)
    choices = sum(r["kind"] == "choice" for r in rulings)
    pages = [
        ("The rules", "rules.md", f"{len(rules)} rules, {informal} of them informal"),
        ("The rulings", "rulings.md",
         f"{len(rulings)} open points decided, {choices} of them with a choice"),
        ("Worked examples", "examples.md", f"{len(text['examples'])} examples with drawings"),
        ("The flow", "flow.md", "the steps and where the moves lead"),
        ("The formal rules", "formal.md", "types, state, moves, effects, end, components"),
        ("Names to spell", "describe.md", "what a program must know to be certified"),
    ]
    sets = [
        f"{code(name)}: {esc(found['title'])}, {_members(source, name)}; "
        f"digest {code(source.documents(name)['components']['digest'])}"
        for name, found in source.sets.items()
    ]
    facts = [
        f"players: {esc(_players(document['players']))}",
        f"edition: {esc(document['edition'])}",
        f"rulebook: {esc(text['sources']['rulebook']['title'])}",
        f"rules digest: {code(document['rules_digest'])}",
        f"text digest: {code(document['text_digest'])}",
    ]
    return "\n".join([
        heading(1, esc(document["title"])),
        _list(facts),
        "The rules digest is taken over the meaning of the rules with the standard component "
        "set, the text digest over their words. Certificates and records name them.\n",
        _list([f"{link(title, page)}: {esc(words)}" for title, page, words in pages]),
        heading(2, "Play it"),
        _shell(f"ludex play {game}"),
        "You play the first seat, the others move at random. Type the number of a move. Type a "
        "move that is not listed to learn which rule forbids it.\n",
        heading(2, "Certify a program"),
        _shell("# what your program must spell", f"ludex describe {game}",
               "# one short game, answer by answer", f"ludex try {game} -- COMMAND",
               "# the whole test, with a verdict", f"ludex certify {game} -- COMMAND"),
        f"How to connect a program: {link('writing an adapter', '../../adapters.md')}. What is "
        f"checked: {link('certification', '../../conformance.md')}.\n",
        heading(2, "Component sets"),
        _list(sets),
    ])


def _list(items: Sequence[str]) -> str:
    return "\n".join(f"* {item}" for item in items) + "\n"


def _shell(*lines: str) -> str:
    """Return commands; nothing of it is read as markup."""
    return f'<div class="lx-clause">\n<pre><code>{raw_lines(lines)}</code></pre>\n</div>\n'


def _players(allowed: Sequence[int]) -> str:
    low, high = allowed[0], allowed[-1]
    return str(low) if low == high else f"{low} to {high}"


def _members(source: GameSource, name: str) -> str:
    kinds = source.documents(name)["kinds"]
    return ", ".join(f"{len(kinds[k]['members'])} {code(k)}" for k in source.sets[name]["kinds"])
