"""``ludex play GAME``: one person at the terminal against players who move at random."""

from __future__ import annotations

import io
import random
import sys
from collections.abc import Callable
from contextlib import suppress

import click
from rich.console import Console
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from ludex.cli.options import game_argument, load_game, setting_options
from ludex.cli.play_text import help_text, outcome_text, rule_lines, rules_text
from ludex.cli.typed import MAX_LINE, Json, read_line
from ludex.engine import Game, Seeded, State
from ludex.engine.flow import reads, resolved
from ludex.engine.history import Hidden, History
from ludex.engine.runtime import RuleFault
from ludex.errors import Broken, LudexError, SpecError, UsageError, closest
from ludex.judge import nearest, offences
from ludex.render import Faces, draw
from ludex.render.blocks import chips
from ludex.render.faces import clean
from ludex.render.terminal import player_name

__all__ = ["Session", "play"]

#: So many moves are listed unless the player asks for all.
_LISTED = 40
#: So much of a message is shown.
_SHOWN = 300
#: So many legal moves are shown where one is refused.
_NEAREST = 3
#: What the check of a move raises when it asks for what is not there.
_FAULTS = (LudexError, RuleFault, LookupError, TypeError, ValueError)


@click.command()
@game_argument
@setting_options
@click.option("--seat", default="p1", metavar="PLAYER", show_default=True, help="Whom you play.")
@click.option("--seed", type=int, default=None, metavar="S",
              help="Of chance and of the other players; the same seed gives the same game.")
@click.option("--open", "open_", is_flag=True, help="Show what is hidden from your seat, too.")
def play(
    game: str,
    players: int | None,
    rulings: tuple[str, ...],
    options: tuple[str, ...],
    components: str,
    seat: str,
    seed: int | None,
    open_: bool,
) -> None:
    """Play GAME against players who move at random.

    Type the number of a move, or a move that is not in the list to learn which rule forbids it.
    """
    found = load_game(game, players, rulings, options, components)
    if seat not in found.player_ids:
        raise UsageError(f"there is no seat {seat!r}", code="usage.seat",
                         hint=closest(seat, found.player_ids)
                         or f"the seats are {', '.join(found.player_ids)}")
    if seed is None:
        seed = random.SystemRandom().randrange(1_000_000)
    for stream in (sys.stdin, sys.stdout):
        # a letter that the terminal does not know must not end the game
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    console = Console(highlight=False, markup=False, emoji=False)
    session = Session(found, seat, seed, console, _reader(console), show_all=open_)
    try:
        session.run()
    except (EOFError, KeyboardInterrupt):
        console.print(f"\nThe game ends here. --seed {seed} starts the same one again.")


def _reader(console: Console) -> Callable[[str], str]:
    """Return a function that shows a prompt and gives a line, or raises EOFError."""
    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401  (gives `input` its editing keys)
        return input

    def read(prompt: str) -> str:
        line = sys.stdin.readline(MAX_LINE + 2)
        if not line:
            raise EOFError
        rest = line
        while rest and not rest.endswith("\n"):
            rest = sys.stdin.readline(MAX_LINE)
        console.print(Text(prompt + clean(line.rstrip("\r\n"))[:200]))
        return line

    return read


class Session:
    """One game with one person.

    Parameters
    ----------
    game : Game
        The game.
    seat : str
        Whom the person plays.
    seed : int
        Of chance and of the others' moves. Neither depends on what is typed, only on what is
        played.
    console : Console
        Where it is shown.
    read : callable
        From a prompt to a line; raises EOFError at the end.
    show_all : bool
        Whether the whole table is drawn instead of what the seat sees.
    """

    def __init__(
        self,
        game: Game,
        seat: str,
        seed: int,
        console: Console,
        read: Callable[[str], str],
        *,
        show_all: bool = False,
    ) -> None:
        self.game, self.seat, self.seed = game, seat, seed
        self.console, self.read, self.show_all = console, read, show_all
        self.faces = Faces(game.document, console.encoding)
        self.history = History(game, Seeded(f"chance {seed}"))
        self._choose = random.Random(f"moves {seed}").random
        self.state: State = self.history.state
        self.played = 0

    def run(self) -> None:
        """Play to the end.

        Raises
        ------
        EOFError
            The person leaves, or there is nothing more to read.
        """
        self._welcome()
        while not self.state.is_terminal:
            legal = [m for m in self.state.legal_json() if m["actor"] == self.seat]
            move = self._ask(legal) if legal else None
            self._carry_out(move or self._other())
        self._end()

    # -- the person --------------------------------------------------------------------------

    def _ask(self, legal: list[Json]) -> Json | None:
        """Return the person's move, or None to let another player act first."""
        others = [m for m in self.state.legal_json() if m["actor"] != self.seat]
        self.console.print(Rule(f"move {self.played + 1}: {self._name(self.seat)} to act"))
        self._table()
        self._moves(legal, _LISTED)
        if others:
            who = ", ".join(dict.fromkeys(m["actor"] for m in others))
            self._say(f"{who} may act now, too: w lets one of them act first.", "dim")
        while True:
            line = self.read(f"{self.seat}> ").strip()
            if not line:
                self._say("Type the number of a move; ? for help, q to leave.")
                continue
            try:
                found = read_line(line, self.game, self.seat, legal)
            except LudexError as error:
                self._refuse(error)
                continue
            if isinstance(found, dict):
                if self._legal(found):
                    return found
                continue
            command, argument = found
            if command == "wait":
                if others:
                    return None
                self._say("Nobody else may act now.")
            self._obey(command, argument, legal)

    def _obey(self, command: str, argument: str, legal: list[Json]) -> None:
        if command == "quit":
            raise EOFError
        if command == "help":
            self.console.print(help_text(self.game, legal[0]))
        elif command == "rules":
            self.console.print(rules_text(self.game.document, argument))
        elif command == "table":
            self._table()
        elif command == "moves":
            self._moves(legal, len(legal))

    def _legal(self, move: Json) -> bool:
        """Return whether a move is legal; if not, say why."""
        try:
            broken = self.state.broken(self.game.action_from_json(move))
        except _FAULTS:
            self._say("That is not legal here; the rules give no reason in words.", "red")
            return False
        if broken:
            self._explain(move, broken)
        return not broken

    def _explain(self, move: Json, broken: list[Broken]) -> None:
        found = offences(self.state, self.game.action_from_json(move))
        for item in broken:
            self._say(f"Not legal: {item.reason} (rule {item.rule}).", "red")
            for offence in found:
                if offence.clause == item.clause and self._open(item.clause):
                    for cause in offence.causes:
                        self._say(f"  {cause}")
        for rule in dict.fromkeys(item.rule for item in broken):
            self.console.print(rule_lines(self.game.document, rule))
        others = [m for m in nearest(self.state, move) if m["actor"] == self.seat]
        if others:
            self._say("The nearest legal moves:")
        for other in others[:_NEAREST]:
            self.console.print(Text.assemble("  ", *self._picture(other), self.faces.move(other)))

    def _open(self, clause: str) -> bool:
        """Return whether the values of a requirement or a domain are no secret.

        A requirement may look at what the person does not see, such as the cards of a pile.
        """
        kind, name, part, which = (*clause.split("."), "", "")[:4]
        if kind != "moves" or self.show_all:
            return kind == "moves"
        move = next(m for m in self.game.document["moves"] if m["name"] == name)
        if part == "requires":
            conditions = [move["requires"][int(which)]["that"]]
        else:
            param = next(p for p in move["params"] if p["name"] == which)
            conditions = [param["in"], *([param["when"]] if "when" in param else [])]
        seen = {v["name"] for v in self.game.document["state"]
                if resolved(v["visible_to"], self.game.rulings) == "everyone"}
        return reads(self.game.document, conditions) <= seen

    def _refuse(self, error: LudexError) -> None:
        where = f" (column {error.place.column})" if error.place else ""
        # the message may repeat what was typed, at any length
        self._say(f"Not understood: {error.message[:_SHOWN]}{where}", "red")
        for line in (error.hint or "").splitlines():
            self._say(f"  {line}")

    # -- the others --------------------------------------------------------------------------

    def _other(self) -> Json:
        """Return a move of another player: first who, then which move, then how."""
        left = [m for m in self.state.legal_json() if m["actor"] != self.seat]
        if not left:
            raise SpecError(
                f"nobody can move in step {self.state.step}, but the game is not over",
                code="engine.stuck", hint="the step needs none:, or an end: its condition",
            )
        for key in ("actor", "move"):
            values = list(dict.fromkeys(m[key] for m in left))
            chosen = values[int(self._choose() * len(values))]
            left = [m for m in left if m[key] == chosen]
        return left[int(self._choose() * len(left))]

    def _carry_out(self, move: Json) -> None:
        self.history.apply_action(self.game.action_from_json(move))
        self.played += 1
        seen = self.history.moves[-1] if self.show_all else self.history.view(self.seat)[-1]
        line = Text(f"{self._name(seen['actor'])}: ", "bold")
        line = Text.assemble(line, *self._picture(seen), self.faces.move(seen))
        for outcome in seen["chance"]:
            # what is drawn is seen on the table; dice and picks may be seen nowhere else
            if "roll" in outcome and outcome["roll"] != Hidden:
                line.append(f"  [{' '.join(map(str, outcome['roll']))}]", "bold")
        self.console.print(line)

    # -- what is shown -----------------------------------------------------------------------

    def _welcome(self) -> None:
        game = self.game
        self._say(f"{clean(game.document['title'])} for {game.players}. "
                  f"You play {self.seat}. Seed {self.seed}.", "bold")
        for name, value in game.rulings.items():
            if value != game.document["rulings"][name]["default"]:
                self._say(f"Ruling {name}: {value}.")
        if self.show_all:
            self._say("Everything is open, hidden cards too.")
        self._say("Type the number of a move; ? for help, q to leave.", "dim")

    def _table(self) -> None:
        state = self.state
        view = state.table() if self.show_all else state.observation(self.seat)
        self.console.print(draw(self.faces, view, self.seat))

    def _moves(self, legal: list[Json], most: int) -> None:
        table = Table.grid(padding=(0, 1))
        table.add_column(justify="right", style="bold", no_wrap=True)
        table.add_column()
        for number, move in enumerate(legal[:most], 1):
            text = Text.assemble(*self._picture(move), self.faces.move(move))
            table.add_row(f"{number}", text)
        self._say("Your moves", "bold")
        self.console.print(table)
        if len(legal) > most:
            self._say(f"... and {len(legal) - most} more; moves lists them all.", "dim")

    def _picture(self, move: Json) -> list[Text | str]:
        looks = self.faces.components(move)
        return [chips(looks), " "] if looks else []

    def _end(self) -> None:
        outcome, ending = self.state.outcome(), self.state.ending()
        assert outcome is not None
        assert ending is not None
        self.console.print(Rule("the end"))
        self._table()
        self._say(f"The game is over after {self.played} moves.", "bold")
        self.console.print(outcome_text(self.game.document, outcome, ending, self._name))

    def _name(self, player: str) -> str:
        return player_name(player, self.seat)

    def _say(self, text: str, style: str = "") -> None:
        self.console.print(Text(clean(text), style))
