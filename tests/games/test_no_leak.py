"""No game of the tests tells a player what is hidden from that player."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
from games.folders import ALL, document, positions, sample, settings
from games.redeal import check_no_leak, hidden_cells, redealt, split

from ludex.engine import Game, State

SECRETS = [n for n in ALL if any(v["visible_to"] != "everyone" for v in document(n)["state"])]


def test_type_texts_are_split() -> None:
    assert split("int") == ("int", [])
    assert split("map(Side, list(stack(Card)))") == ("map", ["Side", "list(stack(Card))"])


@pytest.mark.parametrize("name", SECRETS)
def test_nothing_told_depends_on_what_is_hidden(name: str) -> None:
    source = random.Random(name)
    looked: list[str] = []
    while len(looked) < 200:
        for game in settings(name):
            for state in positions(game, source.getrandbits(32)):
                donor = positions(game, source.getrandbits(32), 1)[-1]
                check_no_leak(state, source, donor, looked.append)
    # something is hidden from everybody
    assert set(looked) == {f"p{i + 1}" for i in range(document(name)["players"][-1])}


@pytest.mark.parametrize("name", SECRETS)
def test_only_hidden_places_are_dealt_again(name: str) -> None:
    source = random.Random(name)
    for state in sample(name, 1, 20):
        for player in state.game.player_ids:
            other = redealt(state, player, source)
            assert census(other) == census(state)
            before, after = state.to_json()["state"], other.to_json()["state"]
            for values, at in ((before, state), (after, other)):
                for cell in hidden_cells(at, values, player):
                    cell.holder[cell.key] = None
            assert before == after


def census(state: State) -> list[str]:
    table = state.table()
    holding = [v["name"] for v in state.game.document["state"]
               if any(f"{z}(" in v["type"] for z in ("deck", "bag", "stack", "slot"))]
    return sorted(leaves([table[name] for name in holding if name in table]))


def leaves(value: Any) -> list[str]:
    if isinstance(value, dict | list):
        items = value.values() if isinstance(value, dict) else value
        return [leaf for item in items for leaf in leaves(item)]
    return [] if value is None else [value]


def leaky(name: str, move: str, text: str, like: str) -> dict[str, Any]:
    """Return a game whose move has one more requirement, which looks where it must not."""
    from ludex.evaluate import names_of
    from ludex.language.checker import Scope, check_expression, plain
    from ludex.language.types import PLAYER

    doc = copy.deepcopy(document(name))
    tree = plain(check_expression(text, Scope(names_of(doc), {"actor": PLAYER})))
    (clause,) = [m for m in doc["moves"] if m["name"] == move]
    clause["requires"].append({"rule": like, "otherwise": "no", "place": "",
                               "that": {"expr": text, "tree": tree, "place": ""}})
    return doc


@pytest.mark.parametrize(
    ("name", "move", "text"),
    [
        # the pile and the hands of others are hidden, and so are dice under another cup
        ("go-fish", "ask", "copies(draw_pile, Card[0]) != 2"),
        ("go-fish", "ask", "opponents(actor).all(p, copies(hand[p], Card[0]) != 1)"),
        ("liars-dice", "liar", "cup[next_player(actor)][0] != 3"),
        ("poodle-taxi", "cover", "size(draw_pile) == 0 || copies(draw_pile, Card[0]) > 0"),
    ],
)
def test_a_leak_is_found(name: str, move: str, text: str) -> None:
    game = Game(leaky(name, move, text, "1.1"), 2)
    with pytest.raises(AssertionError):
        look(game, random.Random(1), 40)


def look(game: Game, source: random.Random, games: int) -> None:
    for _ in range(games):
        for state in positions(game, source.getrandbits(32)):
            check_no_leak(state, source, positions(game, source.getrandbits(32), 1)[-1])
