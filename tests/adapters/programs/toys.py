"""Toy programs behind the Python helper. ``toys.mjs`` has the same ones in JavaScript."""

# ruff: noqa: RUF012 - a toy may write its class attributes as a newcomer would

from ludex_adapter import Deck, Game, Illegal, Loop, TapeRandom, ranked, seats, serve, tape

print("the program greets at import")

import os  # noqa: E402 - after the helper, like any program


class Magpie(Game):
    """Players take jewels from a pile and lay them for coins; ends when the pile is empty."""

    game = "magpie"
    players = (2, 3)
    rulings = {"starter": ["table", "first_seat"]}
    options = {"double": [True, False]}
    components = ("toy",)
    worth = {"amber": 1, "beryl": 2, "coral": 3, "diamond": 4, "emerald": 5}

    def setup(self, players, rulings, options, components):
        assert components["id"] == "toy"
        self.ids, self.double = seats(players), options["double"]
        self.turn = 0
        if rulings["starter"] == "table":
            self.turn = self.ids.index(tape.pick("first_player", self.ids))
        self.pile, self.row = list(self.worth), []
        self.hand = {p: [tape.draw("pile", f"hand.{p}", self.pile)] for p in self.ids}
        self.coins = dict.fromkeys(self.ids, 0)

    def actors(self):
        return [self.ids[self.turn]]

    def legal(self):
        (who,) = self.actors()
        yield who, "take", {}
        for jewel in self.hand[who]:
            yield who, "lay", {"jewel": jewel}

    def play(self, actor, move, args):
        if move == "take":
            self.hand[actor].append(tape.draw("pile", f"hand.{actor}", self.pile))
        elif move == "lay":
            jewel = args["jewel"]
            if jewel not in self.hand[actor]:
                raise Illegal(f"{jewel} is not in hand", rule="lay.owner")
            one, two = tape.roll(2)
            self.hand[actor].remove(jewel)
            self.row.append(jewel)
            times = 2 if self.double and one == two else 1
            self.coins[actor] += self.worth[jewel] * times
        else:
            raise Illegal("no such move")
        self.turn = (self.turn + 1) % len(self.ids)

    def state(self):
        pile = {"count": len(self.pile)}
        return {"row": self.row, "hand": self.hand, "pile": pile, "coins": self.coins}

    def view(self, player):
        hands = {p: h if p == player else {"count": len(h)} for p, h in self.hand.items()}
        return {**self.state(), "hand": hands}

    def outcome(self):
        return None if self.pile else ranked(self.coins)


class Solo(Game):
    """What the small games below share: p1 is to move, nothing is ever over."""

    players = (1,)
    worth = None

    def setup(self, players, rulings, options, components):
        self.seen = []

    def actors(self):
        return ["p1"]

    def legal(self):
        return ()

    def state(self):
        return {"seen": self.seen}

    def view(self, player):
        return self.state()

    def outcome(self):
        return None


class Clumsy(Solo):
    """A program with every bad habit."""

    game = "clumsy"

    def setup(self, players, rulings, options, components):
        super().setup(players, rulings, options, components)
        print("a print in setup")

    def play(self, actor, move, args):
        if move == "crash":
            raise ZeroDivisionError("on purpose")
        if move == "exit":
            raise SystemExit(3)
        if move == "print":
            print("a stray print")
            os.write(1, b"raw bytes\n")
            os.system("echo from a child process")
        if move == "input":
            input()
        if move == "nan":
            self.seen.append(float("nan"))
        if move == "own_error":
            raise OwnError("the program says no")
        if move == "swallow":
            try:
                self.seen.append(tape.draw("bag", "hand", ["a", "b"]))
            except Exception:
                self.seen.append("swallowed")


class OwnError(Exception):
    rule = "own.rule"


class Lab(Solo):
    """One move for each stand-in."""

    game = "lab"

    def play(self, actor, move, args):
        random = TapeRandom(dice=2, of="first_player")
        cards = TapeRandom(deck="bag", to="hand", top_last=True)
        if move == "die":
            self.seen.append(tape.die(6, dice=2))
        elif move == "dice":
            self.seen += [tape.die(6, dice=2), tape.die(6, dice=2)]
        elif move == "deck":
            deck = Deck("bag", ["a", "b", "c"])
            self.seen += [deck.draw("hand"), len(deck)]
        elif move == "pick":
            self.seen.append(tape.pick("number", [1, 2, 3]))
        elif move == "shuffle":
            items = ["a", "b", "c"]
            tape.shuffle("bag", items)
            self.seen += items
        elif move == "random":
            self.seen += [random.randint(1, 6), random.randrange(6) + 1]
            self.seen.append(random.choice(["p1", "p2"]))
        elif move == "choice_of_faces":
            self.seen += [random.choice([1, 2, 3, 4, 5, 6]), random.choice(range(1, 7))]
        elif move == "sample":
            self.seen += [*cards.sample(["a", "b", "c"], 2), cards.choice(["a", "b"])]
        elif move == "shuffle_top_last":
            items = ["a", "b", "c"]
            cards.shuffle(items)
            self.seen += items
        elif move == "fraction":
            self.seen.append(random.random())
        elif move == "gauss":
            self.seen.append(random.gauss(0, 1))


class Parley(Loop):
    """A program that owns its loop: each says a number, larger than the last, up to 10."""

    game = "parley"
    players = (2, 3)
    last = 0

    def run(self, players, rulings, options, components):
        who, spoken = 0, dict.fromkeys(seats(players), 0)
        while self.last < 10:
            actor, move, args = self.ask(f"p{who + 1}")
            if move == "crash":
                raise OwnError("inside run")
            if move == "roll":
                self.last += tape.roll(1)[0]
            elif args["number"] <= self.last:
                self.refuse("too small", rule="say.more")
                continue
            else:
                self.last = args["number"]
            spoken[actor] += 1
            who = (who + 1) % players
        return ranked(spoken)

    def legal(self):
        return [(self.actors()[0], "say", {"number": n}) for n in range(self.last + 1, 11)]

    def state(self):
        return {"last": self.last}

    def view(self, player):
        return self.state()


class Turns(Solo):
    """Knows whole turns only: a turn is two steps."""

    game = "turns"

    def play(self, actor, move, args):
        self.seen.append(move)

    def pending(self):
        return len(self.seen) % 2 == 1


if __name__ == "__main__":
    serve(
        Magpie, Clumsy, Lab, Parley, Turns,
        name="toys", version="1.2", url="https://example.org/toys",
        adapter_does=["state"], illegal=[OwnError],
    )  # fmt: skip
