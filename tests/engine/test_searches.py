"""Searches that stop, and functions that are tables: faster, and otherwise as if they were not.

The explaining evaluator walks the trees and knows neither, so it says what is right.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from patched import patched

from ludex.authoring.document import load_document
from ludex.engine import Game, Seeded
from ludex.engine.derived import MAX_ENTRIES, Table, tables
from ludex.engine.explain import Explainer
from ludex.engine.runtime import FAULTS

#: name: (parameters, type, expression)
FUNCTIONS = {
    "rows": ("", "list(list(int))", "[[1, 2], [2, 3], [0, 0]]"),
    "empty": ("", "list(list(int))", "[]"),
    # a search inside a search, in all ways
    "exists_all": ("n: int", "bool", "rows().exists(r, r.all(x, x > n))"),
    "all_exists": ("n: int", "bool", "rows().all(r, r.exists(x, x > n))"),
    "all_all": ("n: int", "bool", "rows().all(r, r.all(x, x > n))"),
    "exists_exists": ("n: int", "bool", "rows().exists(r, r.exists(x, x > n))"),
    "first_all": ("n: int", "int", "size(rows().first(r, r.all(x, x > n)).or([9, 9, 9]))"),
    "first_exists": ("n: int", "int", "size(rows().first(r, r.exists(x, x > n)).or([9, 9, 9]))"),
    "none_of_none": ("", "bool", "empty().exists(r, r.all(x, x > 0))"),
    "all_of_none": ("", "bool", "empty().all(r, r.exists(x, x > 0))"),
    "same": ("x: int, y: int", "bool", "rows().exists(r, x in r && y in r)"),
    # the local of a search inside is also that of another one, or read by it
    "reuse": ("x: int", "bool", "rows().exists(r, r.filter(y, y > x).exists(z, z > x + 1))"),
    "again": ("n: int", "bool",
              "rows().all(r, r.exists(x, rows().exists(q, q.all(y, y >= x + n))))"),
    # a key of a search that is one of the list, and one that is not
    "has": ("n: int", "bool", "rows()[0].exists(x, x == n)"),
    "lacks": ("n: int", "bool", "rows()[0].all(x, x != n)"),
    "lacks_not": ("n: int", "bool", "rows()[0].all(x, !(x == n))"),
    # whole maps
    "someone": ("p: player", "bool", "players.exists(q, best[q] == p)"),
    "noone": ("p: player", "bool", "players.all(q, best[q] != p)"),
    "unset": ("", "bool", "players.all(q, best[q] == null) || players.exists(q, best[q] != null)"),
    # what fails fails, even behind an element that settles it
    "fails": ("n: int", "bool", "rows().exists(r, r[n] > 0)"),
    # a function that says it gives a colour, and gives null for some
    "dear": ("n: int", "Card", "Card.first(c, c.points > n)"),
    "fails_behind": ("n: int", "bool", "range(n).exists(i, dear(i).colour == 'blue')"),
    # tables, of none, one and two arguments
    "blues": ("", "list(Card)", "Card.filter(c, c.colour == 'blue')"),
    "cards_of": ("k: Colour", "list(Card)", "Card.filter(c, c.colour == k)"),
    "both": ("k: Colour, p: player", "int",
             "Card.sum(c, c.colour == k ? c.points : 0) + players.count(q, q == p)"),
    "deep": ("k: Colour", "int", "cards_of(k).sum(c, c.points)"),
    # none of these is one
    "reads_state": ("k: Colour", "bool",
                    "pile.exists(c, c.colour == k) && best[players[0]] == null"),
    "of_a_number": ("n: int", "int", "Card.count(c, c.points == n)"),
    "no_loop": ("k: Colour", "bool", "k == 'blue'"),
}
TABLES = {"blues", "cards_of", "both", "deep", "none_of_none", "all_of_none"}
ARGUMENTS: dict[str, list[Any]] = {"int": [-1, 0, 1, 2, 3], "player": [0, 1], "Colour": [0, 1]}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    lines = []
    for name, (params, type_, expression) in FUNCTIONS.items():
        lines += [f"  {name}:", f"    params: {{{params}}}", f"    type: {type_}",
                  f'    is: "{expression}"']
    state = '  best: {type: optional(player), per: player, visible_to: everyone, rule: "2.1"}'
    folder = patched(
        tmp_path_factory.mktemp("searches") / "game",
        ("game.yaml", "\nfunctions:\n", "\nfunctions:\n" + "\n".join(lines) + "\n"),
        ("game.yaml", "\nsetup:\n", f"\n{state}\nsetup:\n"),
    )
    return Game(load_document(folder))


def result(function: Any, *args: Any) -> Any:
    try:
        found = function(*args)
    except FAULTS as fault:
        return type(fault)
    return list(found) if isinstance(found, range) else found


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_give_what_explaining_gives(game: Game, name: str) -> None:
    (function,) = (f for f in game.document["functions"] if f["name"] == name)
    explainer, space = Explainer(game.program), game.program.namespace()
    slot = game.program.slots["best"]
    seen = set()
    for best in ([None, None], [0, None], [1, 0]):
        position = game.initial_state(Seeded(0)).position
        position[slot] = best
        for args in product(*(ARGUMENTS[p["type"]] for p in function["params"])):
            names = [p["name"] for p in function["params"]]
            local = dict(zip(names, args, strict=True))
            expected = result(explainer.value, function["is"]["tree"], position, local)
            assert result(space[f"f_{name}"], position, *args) == expected, args
            if name in TABLES:
                key = args[0] if len(args) == 1 else args
                assert space[f"T_{name}"][key] == expected
            seen.add(repr(expected))
    # what takes arguments depends on them
    assert len(seen) > 1 or not function["params"]


def test_which_functions_are_tables(game: Game) -> None:
    assert tables(game.document, game.codec) & set(FUNCTIONS) == TABLES
    assert {k for k in game.program.namespace() if k.startswith("T_")} == {
        f"T_{n}" for n in TABLES
    }


def test_a_table_asks_once() -> None:
    asked: list[Any] = []

    def function(position: Any, key: int) -> list[int]:
        asked.append(key)
        return [key]

    table = Table(function, single=True)
    assert [table[1], table[2], table[1]] == [[1], [2], [1]]
    assert asked == [1, 2]
    assert Table(lambda position: 7, single=False)[()] == 7


def test_a_table_has_a_limit(game: Game) -> None:
    (both,) = (f for f in game.document["functions"] if f["name"] == "both")
    # two colours, two players: some more parameters, and there are too many entries
    many = [{"name": f"p{i}", "type": "player"} for i in range(MAX_ENTRIES.bit_length())]
    document = {**game.document, "functions": [{**both, "params": many}]}
    assert tables(document, game.codec) == set()
    document["functions"] = [{**both, "params": many[1:]}]
    assert tables(document, game.codec) == {"both"}


def test_what_a_table_gives_is_not_changed_with_the_position(tmp_path: Path) -> None:
    folder = patched(
        tmp_path / "game",
        ("game.yaml", "\nfunctions:\n", '\nfunctions:\n  blues:\n    type: list(Card)\n'
         "    is: \"Card.filter(c, c.colour == 'blue')\"\n"),
        ("game.yaml", "\nsetup:\n", '\n  list: {type: list(Card), visible_to: everyone, '
         'rule: "2.1"}\nsetup:\n  - set: {list: "blues()"}\n    rule: "2.1"\n'
         '  - add: {to: list, value: "blues()[0]"}\n    rule: "2.1"\n'),
    )
    game = Game(load_document(folder))
    for _ in range(2):
        state = game.initial_state(Seeded(0)).to_json()["state"]
        assert state["list"] == ["blue-one", "blue-one"]
