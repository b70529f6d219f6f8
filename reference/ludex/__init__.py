"""Ludex: rules of board and card games as machine-readable specifications.

How a spec travels::

    spec/games/GAME/*.yaml
       |   authoring:  read strictly, validate by schema, parse and type expressions, resolve
       v
    the game document: one JSON value (rules_digest is taken over it)
       |   engine:     compile to Python functions; play, observe, explain
       v
    states, actions, outcomes in canonical form
       |   protocol:   messages, records, canonical bytes
       v
    kit (ludex_tck), terminal, pages

Rooms, from the bottom up; none imports one below it in this list:

``errors``      the tree of errors, with codes and places
``codes``       what each error code means, with an example and the likely fix
``language``    expressions: parser, types, the operator table
``protocol.canonical``  bytes and digests
``files``       reads files with a bound, writes them whole or not at all
``engine``      plays a game document; needs nothing but Python
``authoring``   from a game folder to a game document; needs yaml and jsonschema
``census``      counts the components of a position, wherever they lie
``evaluate``    answers questions about a position, asked in the language
``examples``    plays the worked examples of a game
``explore``     plays a game to find what is wrong with its spec
``protocol``    the reference as a program that speaks the move protocol
``records``     game records as files; random games as records
``judge``       whether a recorded game is legal, and by which rule it was won
``rulebook``    looks up rules, rulings and examples of a game
``perft``       counts the ways that a game can go
``export``      the game document as a file
``render``      draws positions as a game's display file says
``pages``       writes the pages of a game for readers
``cli``         the ``ludex`` command

A first game::

    >>> import ludex
    >>> game = ludex.load("poodle-taxi", players=2)
    >>> state = game.initial_state(ludex.Seeded(1))
    >>> state.actors()
    ['p2']
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ludex.engine import Game, Recorder, Seeded, State, Tape

__all__ = ["Game", "Recorder", "Seeded", "State", "Tape", "__version__", "load"]

__version__ = "0.1.0"


def load(
    game: str | Path,
    players: int | None = None,
    rulings: Mapping[str, str] | None = None,
    options: Mapping[str, Any] | None = None,
    components: str | Path = "standard",
) -> Game:
    """Read a game and compile it.

    Parameters
    ----------
    game : str or Path
        A built-in game (``"poodle-taxi"``) or the path of a game folder.
    players : int, optional
        How many play; the fewest if absent.
    rulings, options : mapping, optional
        Values that differ from the defaults.
    components : str or Path
        Name of a component set, or the path of a file.

    Raises
    ------
    ludex.errors.UsageError
        There is no such game, component set, player count, ruling or value.
    ludex.errors.SpecErrors
        The spec is wrong.
    """
    from ludex.authoring.document import load_document

    return Game(load_document(game, components), players, rulings, options)
