"""The reference engine: plays any game from its game document, with nothing but Python.

::

    game document ──codec──────> ids <-> integers
        │
        ├──expressions──┐
        ├──statements───┼──> program: one Python function per move, step, list of legal actions
        │   (templates) │        (generated as ``ast``, compiled once)
        │               │
        └──views────────┴──> game: Game, State  <── chance: Seeded, Tape, Recorder

``templates``    Python syntax from trusted templates
``expressions``  typed trees to Python expressions
``quantifiers``  searches that stop, as functions with a loop
``derived``      functions of a spec that are kept as tables
``failing``      which expressions can ask for what is not there
``statements``   statements to Python statements; clauses and chance sites
``program``      the functions of a game for one number of players and one reading
``runtime``      what generated code calls
``codec``        values to and from canonical JSON
``views``        table state and observations
``settings``     the values of options and rulings
``unoffered``    which rules a move breaks where a step does not offer it
``chance``       sources of chance
``game``         `Game` and `State`, the public face
``history``      a game with its record, and what each player knows of it
``enumerate``    every way that chance can go, with exact probabilities
``explain``      the same expressions once more, with every value kept
``symmetry``     changes of names and places under which a game stays the same

It imports neither a YAML reader nor a schema validator.
"""

from ludex.engine.chance import ChanceSource, Outcome, Recorder, Seeded, Tape
from ludex.engine.game import Game, State

__all__ = ["ChanceSource", "Game", "Outcome", "Recorder", "Seeded", "State", "Tape"]
