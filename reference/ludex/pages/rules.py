"""The page of the rules: every rule with its anchor, its clauses, examples and rulings."""

from __future__ import annotations

from ludex.pages.clauses import Clause
from ludex.pages.markup import anchor, block, code, details, esc, heading, link, raw_lines
from ludex.pages.source import GameSource, Json, short_place

__all__ = ["clause_text", "rules_page"]


def rules_page(source: GameSource) -> str:
    """Return the Markdown of the rules."""
    document, text = source.document, source.text
    parts = [
        heading(1, f"{esc(document['title'])}: the rules"),
        f"Edition {esc(document['edition'])}. The rulebook in our own words. "
        "The number of a rule never changes, so it can be cited: copy the link behind it.\n",
        "A *formal* rule is carried out by clauses of the game file and shown by an example. "
        "An *informal* one says why no machine checks it.\n",
        _sources(text["sources"]),
    ]
    for section in text["sections"]:
        title = f"{esc(section['id'])}&ensp;{esc(section['title'])}"
        parts.append(heading(2, title, anchor("section", section["id"])))
        parts += [_rule(source, text["rules"][rule]) for rule in section["rules"]]
    return "\n".join(parts)


def _sources(sources: Json) -> str:
    lines = []
    for name, source in sources.items():
        said = ", ".join(esc(source[k]) for k in ("publisher", "edition", "language")
                         if k in source)
        note = f" {esc(source['note'])}" if "note" in source else ""
        lines.append(f"* **{esc(name)}**: {esc(source['title'])}"
                     f"{f' ({said})' if said else ''}.{note}")
    return "Sources:\n\n" + "\n".join(lines) + "\n"


def _rule(source: GameSource, rule: Json) -> str:
    name = rule["id"]
    words = f'<p class="lx-rule" markdown="span">{esc(rule["text"])}</p>\n'
    parts = [heading(3, esc(name), anchor("rule", name)), words, _facts(source, rule)]
    if rule["status"] == "informal":
        parts.append(f"*Informal:* {esc(rule['why'])}\n")
    clauses = source.clauses_of_rule(name)
    if clauses:
        label = "1 formal clause" if len(clauses) == 1 else f"{len(clauses)} formal clauses"
        parts.append(details(label, "\n".join(map(clause_text, clauses)), "lx-formal"))
    return "\n".join(parts)


def _facts(source: GameSource, rule: Json) -> str:
    facts = [f"{esc(rule['kind'])}", f"rulebook: {'; '.join(map(esc, rule['place']))}"]
    if rule.get("see"):
        facts.append("see " + ", ".join(source.rule_link(r, here=True) for r in rule["see"]))
    examples = source.examples_of_rule(rule["id"])
    if examples:
        facts.append("examples: " + ", ".join(
            link(esc(e["title"]), f"examples.md#{anchor('example', e['id'])}") for e in examples
        ))
    rulings = source.rulings_of_rule(rule["id"])
    if rulings:
        facts.append("rulings: " + ", ".join(
            link(code(r["id"]), f"rulings.md#{anchor('ruling', r['id'])}") for r in rulings
        ))
    items = "\n".join(f"* {fact}" for fact in facts)
    return f'<div class="lx-facts" markdown="1">\n\n{items}\n\n</div>\n'


def clause_text(clause: Clause) -> str:
    """Return a clause: where it stands, and its lines."""
    under = "".join(f" → {code(words)}" for words in clause.under)
    place = f" <small>{esc(short_place(clause.place))}</small>" if clause.place else ""
    return (f"**{esc(clause.where)}**{under}{place}\n\n"
            + block("lx-clause", f"<pre><code>{raw_lines(clause.lines)}</code></pre>"))
