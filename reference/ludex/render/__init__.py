"""Drawing positions as a game's display file says, without knowing any game.

::

    document["text"]["display"] ──faces──> looks and words
                                             │
    observation or table state ──terminal────┴──> what `rich` prints
                                   ├─ blocks: cards in boxes, chips, counts
                                   └─ boards: squares, and places of a graph
                                          └─ places: where they are, what lies on them

All of it is pure: values in, text out. What to draw comes from the game document; what is there
comes from an observation, so a drawing cannot show what its player does not see. A variable that
the display file does not mention is drawn plainly, from its type alone.
"""

from ludex.render.faces import Faces, Look
from ludex.render.terminal import draw

__all__ = ["Faces", "Look", "draw"]
