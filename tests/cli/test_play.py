"""Games at the terminal: what can be typed, what is said, and what is never shown."""

from __future__ import annotations

import copy
import functools
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from patched import patched
from rich.console import Console

import ludex
from ludex.authoring import document
from ludex.cli.play import Session, play
from ludex.cli.typed import read_line, usage
from ludex.engine import Game
from ludex.errors import InvalidMove, LudexError, UsageError

POODLE = ludex.load("poodle-taxi", players=2)
_load_document = functools.cache(document.load_document)


@pytest.fixture(autouse=True)
def _documents_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "load_document", _load_document)


def run(typed: str, *args: str, env: dict[str, str] | None = None) -> str:
    """Play Poodle Taxi with seed 5 and return what is printed; the status must be 0."""
    result = CliRunner().invoke(play, ["poodle-taxi", "--seed", "5", *args], input=typed, env=env)
    if result.exception is not None:
        raise result.exception
    assert result.exit_code == 0
    return result.output


def squeezed(text: str) -> str:
    return " ".join(text.split())


def moves_of(text: str) -> list[str]:
    """Return the announcements of moves."""
    return [
        line.rstrip() for line in text.splitlines()
        if line.startswith(("p1 (you): ", "p1: ", "p2 (you): ", "p2: ", "p3: ", "p4: "))
    ]


# -- what is seen of moves -------------------------------------------------------------------


def test_dice_are_shown_with_the_move() -> None:
    printed = CliRunner().invoke(play, ["taxifolie", "--seed", "3"], input="1\n1\n").output
    throws = re.findall(r"roll for the first turn  \[([1-6]) ([1-6])\]", printed)
    rolls = re.findall(r"roll the dice  \[([1-6]) ([1-6])\]\n((?:p2: .* drive .*\n)*)", printed)
    assert len(throws) == 2
    # one space for each pip, unless the fare ends on the way
    assert rolls
    first, second, driven = rolls[0]
    assert driven.count("drive to") == int(first) + int(second)


def test_the_dice_of_others_and_arguments_that_nobody_sees_stay_hidden() -> None:
    document = copy.deepcopy(_load_document("poodle-taxi"))
    for move in document["moves"]:
        for param in move["params"]:
            param["visible_to"] = "nobody"
    output = io.StringIO()
    session = Session(Game(document, 2), "p1", 5, Console(file=output, width=100), _nobody)
    for _ in range(6):
        session._carry_out(session.state.legal_json()[0])
    said = [line for line in output.getvalue().splitlines() if ": " in line]
    own = [line for line in said if line.startswith("p1 (you): ")]
    assert len(said) > len(own) > 0
    assert all("hidden" in line for line in said if line not in own)
    assert not any("hidden" in line for line in own)


# -- whole games -----------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_of_always_the_first_move(players: int) -> None:
    text = run("1\n" * 12, "--players", str(players))
    # rule 8.7: each player plays twelve cards
    assert len(moves_of(text)) == 12 * players
    assert f"The game is over after {12 * players} moves." in text
    assert "7.1  " in text
    assert "The winner is p" in text or "The winners are p" in text
    returns = text.split("Returns")[1].splitlines()[1 : players + 1]
    assert [line.split()[0] for line in returns] == [f"p{i + 1}" for i in range(players)]
    assert all(int(line.split()[-1]) <= 0 for line in returns)


def test_the_winner_has_the_fewest_fleas() -> None:
    text = run("1\n" * 12)
    lines = text.split("Returns")[1].splitlines()
    returns = {"p1 (you)": int(lines[1].split()[-1]), "p2": int(lines[2].split()[-1])}
    best = [p for p, n in returns.items() if n == max(returns.values())]
    said = "The winner is " if len(best) == 1 else "The winners are "
    assert said + " and ".join(best) + "." in text
    # the drawing of the end says the same: fleas are negative points
    fleas = text.split("the end")[1].split("Fleas")[1].splitlines()[1]
    for player, number in returns.items():
        assert f"{player}  {-number} card" in fleas


def test_the_same_seed_is_the_same_game() -> None:
    assert run("1\n" * 12) == run("1\n" * 12)


def test_other_seeds_are_other_games() -> None:
    games = {tuple(moves_of(run("1\n" * 12, "--seed", str(seed)))) for seed in range(4)}
    assert len(games) == 4


def test_how_the_person_types_changes_nothing() -> None:
    direct = moves_of(run("1\n" * 12))
    clumsy = moves_of(run("\nwhat\n99\n?\nrules 4.1\ncover\n{\n  1  \n" * 12))
    assert clumsy == direct


def test_typing_a_move_is_choosing_its_number() -> None:
    # what p1 can do at first with seed 5, in three ways
    first = next(line for line in run("1\n").splitlines() if line.startswith("p1 (you): "))
    game = ludex.load("poodle-taxi", players=2)
    state, move = at_first_prompt(game)
    short = " ".join([move["move"], *(f"{k}={v}" for k, v in move["args"].items())])
    assert first in run(short + "\n")
    assert first in run(json.dumps(move) + "\n")
    assert first in run(json.dumps({"move": move["move"], "args": move["args"]}) + "\n")
    assert not state.is_terminal


def at_first_prompt(game: Game) -> tuple[Any, Any]:
    """Return the state and the first legal move of p1 when the person is first asked."""
    session = Session(game, "p1", 5, Console(file=io.StringIO()), _nobody)
    with pytest.raises(EOFError):
        session.run()
    return session.state, session.state.legal_json()[0]


def _nobody(prompt: str) -> str:
    raise EOFError


def test_another_seat() -> None:
    text = run("1\n" * 12, "--seat", "p2")
    assert "p2 (you) to act" in text
    assert "p1 (you)" not in text
    assert len(moves_of(text)) == 24


# -- wrong input -----------------------------------------------------------------------------


def test_an_illegal_move_names_its_rule_and_the_reason() -> None:
    state, _ = at_first_prompt(POODLE)
    row = state.table()["row"]
    card = state.table()["hand"]["p1"][0]
    assert row, "with seed 5 another player starts"
    text = squeezed(run(f"start card={card}\n"))
    assert "Not legal: the row has already been started (rule 4.3)." in text
    rule = POODLE.document["text"]["rules"]["4.3"]["text"]
    assert f"4.3 {squeezed(rule)}" in text


def test_a_refusal_shows_what_is_open_and_what_is_near() -> None:
    state, _ = at_first_prompt(POODLE)
    card = state.table()["hand"]["p1"][0]
    text = run(f"start card={card}\n")
    # everybody sees the row, so its size may be said
    assert f"size(row) is {len(state.table()['row'])}" in text
    after = text[text.index("The nearest legal moves:"):].splitlines()
    assert len([line for line in after[1:4] if line.startswith("  ")]) == 3


@pytest.mark.parametrize("visible", ["everyone", "nobody"])
def test_a_refusal_tells_nothing_hidden(tmp_path: Path, visible: str) -> None:
    """How many cards are left is said only where everybody sees it."""
    folder = patched(
        tmp_path / "two-piles",
        ("game.yaml", "  pile:\n    type: bag(Card)\n    visible_to: everyone",
         f"  pile:\n    type: bag(Card)\n    visible_to: {visible}"),
        ("game.yaml", '"taken[actor].all(c, c.colour != card.colour)"',
         '"size(pile) < 4 || card.points > 1"'),
    )
    said = CliRunner().invoke(play, [str(folder), "--seed", "5"], input="take card=blue-one\nq\n")
    assert "Not legal: you have a card of this colour (rule 2.4)." in said.output
    assert ("size(pile) is 4" in said.output) == (visible == "everyone")


def test_a_card_that_the_hand_does_not_hold() -> None:
    state, _ = at_first_prompt(POODLE)
    hand = state.table()["hand"]["p1"]
    missing = next(c for c in POODLE.codec.members["Card"] if c not in hand)
    text = run(f"cover card={missing}\n1\n")
    assert f"Not legal: card {missing} is not in hand[actor] (rule 4.1)." in text
    assert len([m for m in moves_of(text) if m.startswith("p1 (you)")]) == 1


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("0", "there is no move 0 in the list"),
        ("99", "there is no move 99 in the list"),
        ("-1", "there is no move -1 in the list"),
        ("1.5", "there is no move 1.5 in the list"),
        ("9" * 100, "there is no move 99999999999999999999... in the list"),
        ("extand card=green-left", "did you mean 'extend'?"),
        ("dance", "the moves are start, extend, cover"),
        ("extend card=gren-left end=left", "did you mean 'green-left'?"),
        ("extend card=green-left end=middle", "end may be left, right"),
        ("extend card=green-left", "extend needs the argument end"),
        ("extend card=green-left", "extend card=CARD end=left|right"),
        ("extend card=green-left edn=left", "did you mean 'end'?"),
        ("extend green-left left", "expected ARGUMENT=VALUE, found 'green-left'"),
        ("cover card=green-left card=pink-left", "card is there twice"),
        ("cover card=", "there is no Card ''"),
        ("{", "expected JSON"),
        ("[1]", 'expected an object with the key "move"'),
        ('{"move": 5}', 'expected an object with the key "move"'),
        ('{"move": "cover", "args": []}', "expected args to be an object"),
        ('{"move": "cover", "args": {"card": 5}}', "expected Card, found 5"),
        ('{"move": "cover", "args": {"card": {"a": []}}}', "expected Card"),
        ('{"move": "cover", "arg": {}}', "did you mean 'args'?"),
        ('{"move": "cover", "args": {}, "chance": []}', "chance is not yours to decide"),
        ('{"actor": "p2", "move": "cover"}', "you move p1 only"),
        ('{"actor": [], "move": "cover"}', "you move p1 only"),
        ("[" * 3000, "levels of nesting"),
        ("1" + " x" * 5000, "a line may have 4000 characters at most"),
        ("rules 99", "There is no rule '99'."),
        ("w", "Nobody else may act now."),
        ("\x1b[2J\x00", "there is no move or command"),
        ("{}.__class__", "expected JSON"),
        ("\udcff".encode("utf-8", "surrogatepass").decode("utf-8", "replace"), "no move"),
    ],
)
def test_wrong_input_is_explained_and_the_game_goes_on(typed: str, words: str) -> None:
    text = run(typed + "\n1\n")
    assert words in squeezed(text)
    assert "\x1b" not in text
    assert len([m for m in moves_of(text) if m.startswith("p1 (you)")]) == 1
    assert moves_of(text) == moves_of(run("1\n"))


def test_bytes_that_are_no_text() -> None:
    result = CliRunner().invoke(play, ["poodle-taxi", "--seed", "5"], input=b"\xff\xfe\n1\n")
    assert result.exception is None
    assert "there is no move or command" in result.output
    assert moves_of(result.output) == moves_of(run("1\n"))


# -- commands --------------------------------------------------------------------------------


def test_help_names_every_move_and_what_to_type() -> None:
    text = run("?\n")
    for words in ("start card=CARD", "extend card=CARD end=left|right", "cover card=CARD",
                  "rules 4.1", '{"move": '):
        assert words in text
    # its example is a move that can be typed at once
    example = text.split("in two ways:")[1].splitlines()[1].strip()
    assert len([m for m in moves_of(run(f"{example}\n")) if m.startswith("p1 (you)")]) == 1


def test_rules_in_words() -> None:
    rules = POODLE.document["text"]["rules"]
    assert squeezed(rules["4.4"]["text"]) in squeezed(run("rules 4.4\n"))
    section = squeezed(run("rules 4\n"))
    for rule in ("4.1", "4.2", "4.3", "4.4", "4.5", "4.6", "4.7"):
        assert f"{rule} {squeezed(rules[rule]['text'])}" in section
    assert "4 Playing a card: 4.1 to 4.7" in squeezed(run("rules\n"))


@pytest.mark.parametrize("typed", ["q\n", "quit\n", "", "1\n", "1", "QUIT\n"])
def test_leaving_is_no_error(typed: str) -> None:
    text = run(typed)
    assert text.endswith("The game ends here. --seed 5 starts the same one again.\n")


def test_an_interrupt_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: Any) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("ludex.cli.play.read_line", interrupt)
    assert run("1\n").endswith("The game ends here. --seed 5 starts the same one again.\n")


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["--seat", "p3"], "usage.seat"),
        (["--players", "5"], "usage.players"),
        (["--ruling", "starter"], "usage.setting"),
        (["--ruling", "starter=me"], "usage.ruling-value"),
    ],
)
def test_wrong_options(args: list[str], code: str) -> None:
    with pytest.raises(UsageError) as caught:
        run("", *args)
    assert caught.value.code == code


def test_a_ruling_is_played_and_said() -> None:
    text = run("q\n", "--ruling", "starter=first_seat")
    assert "Ruling starter: first_seat." in text
    assert moves_of(text) == []
    assert "start the row with" in text
    hidden = run("q\n", "--ruling", "flea_count=hidden")
    assert "p2  an unknown number of cards" in hidden


def test_the_small_components() -> None:
    assert "The game is over after 12 moves." in run("1\n" * 6, "--components", "small")


# -- secrets ---------------------------------------------------------------------------------


class Spy(Session):
    """Checks, before each line that is read, what has been printed since the last one."""

    checked = 0

    def look(self, prompt: str) -> str:
        text = self.console.file.getvalue()  # type: ignore[attr-defined]
        drawing = text.rsplit("Hand\n", 1)[1].split("Draw pile")[0]
        whole = self.state.table()
        shorts = [self.faces.look("Card", c).short for c in whole["hand"]["p1"]]
        drawn = [w for w in drawing.replace("│", " ").split() if w[-1] in "◀▶"]
        assert sorted(drawn) == sorted(shorts)
        # a card of another hand is in no list of moves either
        listed = text.rsplit("Your moves\n", 1)[1]
        for other in ("p2", "p3"):
            for card in set(whole["hand"][other]) - set(whole["hand"]["p1"]):
                assert self.faces.look("Card", card).title not in listed
        self.checked += 1
        return "1"


@pytest.mark.parametrize("seed", range(8))
def test_hidden_cards_never_appear(seed: int) -> None:
    game = ludex.load("poodle-taxi", players=3)
    spy = Spy(game, "p1", seed, Console(file=io.StringIO(), width=80), _nobody)
    spy.read = spy.look
    spy.run()
    assert spy.checked == 12


def test_what_others_do_is_their_move_and_no_more() -> None:
    """Between two moves of the person stand the others' cards that lie in the row, no draws."""
    game = ludex.load("poodle-taxi", players=3)
    titles = [Session(game, "p1", 5, Console(file=io.StringIO()), _nobody).faces.look(
        "Card", c).title for c in game.codec.members["Card"]]
    for line in moves_of(run("1\n" * 12, "--players", "3")):
        assert sum(line.count(t) for t in titles) == 1


def test_open_shows_every_hand() -> None:
    closed, open_ = run("q\n"), run("q\n", "--open")
    assert "p2  3 cards" in closed
    assert "p2  3 cards" not in open_
    assert "Everything is open" in open_


# -- several actors --------------------------------------------------------------------------


def everybody_may_act() -> Game:
    """Poodle Taxi where any player may play a card at any time."""
    changed: Any = copy.deepcopy(POODLE.document)
    for step in changed["steps"]:
        if "actors" in step:
            step["actors"] = {"expr": "players", "place": "here",
                              "tree": {"get": "players", "type": "list(player)", "span": [0, 7]}}
    return Game(changed, 3)


def play_lines(game: Game, lines: list[str]) -> tuple[Session, str]:
    console = Console(file=io.StringIO(), width=80)
    rest = iter(lines)

    def read(prompt: str) -> str:
        for line in rest:
            return line
        raise EOFError

    session = Session(game, "p1", 5, console, read)
    with pytest.raises(EOFError):
        session.run()
    return session, console.file.getvalue()  # type: ignore[attr-defined]


def test_the_person_may_act_before_others_or_wait() -> None:
    game = everybody_may_act()
    _, text = play_lines(game, ["1"])
    assert "p2, p3 may act now, too" in text
    assert [m.split(":")[0] for m in moves_of(text)] == ["p1 (you)"]
    _, text = play_lines(game, ["w", "w", "1"])
    who = [m.split(":")[0] for m in moves_of(text)]
    assert who[2:] == ["p1 (you)"]
    assert set(who[:2]) <= {"p2", "p3"}


def test_only_own_moves_are_listed() -> None:
    session, text = play_lines(everybody_may_act(), [])
    own = [m for m in session.state.legal_json() if m["actor"] == "p1"]
    assert 0 < len(own) < len(session.state.legal_json())
    assert len(text.split("Your moves\n")[1].splitlines()) == len(own) + 1


# -- reading lines ---------------------------------------------------------------------------


def with_params(*params: tuple[str, str]) -> Game:
    """Poodle Taxi, but that the move `cover` is said to have other parameters."""
    game = ludex.load("poodle-taxi")
    changed: Any = copy.deepcopy(game.document)
    changed["moves"][2]["params"] = [
        # only an argument that may be absent has an optional type
        {"name": n, "type": t, **({"when": {}} if t.startswith("optional(") else {})}
        for n, t in params
    ]
    game.document = changed
    return game


@pytest.mark.parametrize(
    ("type_", "typed", "value"),
    [
        ("int", "-3", -3), ("bool", "true", True), ("player", "p2", "p2"),
        ("optional(int)", "4", 4),
        ("bag(Card)", "red-left,red-left", ["red-left", "red-left"]),
        ("list(int)", "1,2", [1, 2]), ("list(int)", "[1,2]", [1, 2]), ("list(int)", "", []),
        ("map(Side, int)", '{"left":1,"right":2}', {"left": 1, "right": 2}),
    ],
)
def test_short_values_of_every_type(type_: str, typed: str, value: Any) -> None:
    game = with_params(("x", type_))
    assert read_line(f"cover x={typed}", game, "p1", []) == {
        "actor": "p1", "move": "cover", "args": {"x": value}
    }


def test_none_leaves_an_argument_out() -> None:
    game = with_params(("x", "optional(Side)"))
    assert read_line("cover x=none", game, "p1", [])["args"] == {}


@pytest.mark.parametrize(
    ("type_", "typed"),
    [("int", "x"), ("int", "9" * 5000), ("int", "1.0"), ("bool", "1"), ("bag(Card)", "red-left,x"),
     ("map(Side, int)", "{"), ("map(Side, int)", "{}"), ("player", "p9"), ("list(int)", "[[1]]")],
)
def test_values_that_do_not_fit(type_: str, typed: str) -> None:
    with pytest.raises(LudexError):
        read_line(f"cover x={typed}", with_params(("x", type_)), "p1", [])


def test_usage_of_every_type() -> None:
    game = with_params(("a", "int"), ("b", "optional(Side)"), ("c", "bag(Card)"), ("d", "player"),
                       ("e", "bool"))
    assert usage(game, "cover") == (
        "cover a=NUMBER b=left|right|none c=CARD,CARD,... d=p1|p2 e=true|false"
    )


def test_an_unknown_word_in_a_list_is_corrected() -> None:
    with pytest.raises(InvalidMove) as caught:
        read_line("cover x=red-left,red-lift", with_params(("x", "bag(Card)")), "p1", [])
    assert caught.value.hint is not None
    assert "did you mean 'red-left'?" in caught.value.hint


# -- as a program ----------------------------------------------------------------------------


def program(typed: bytes, *args: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-c", "from ludex.cli import main; main()", "play", "poodle-taxi",
         "--seed", "5", *args],
        input=typed, capture_output=True, timeout=60, check=False, env={**os.environ, **env},
    )


def test_a_terminal_that_knows_only_ascii() -> None:
    done = program(b"?\n\xe9\n" + b"1\n" * 12, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"The winner" in done.stdout
    assert all(byte < 128 for byte in done.stdout)


def test_no_colour() -> None:
    done = program(b"1\n" * 12, NO_COLOR="1", FORCE_COLOR="1")
    assert done.returncode == 0
    assert b"\x1b[38;" not in done.stdout
    assert b"48;" not in done.stdout


def test_wrong_usage_of_the_program() -> None:
    done = program(b"", "--seat", "p7")
    assert done.returncode == 2
    assert b"there is no seat 'p7'" in done.stderr
    assert b"Traceback" not in done.stderr
