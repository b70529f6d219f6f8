"""What is said about a game in JSON: canonical form, messages, records.

::

    a value of the engine                     a line from a file or a pipe
          |                                             |
          v                                             v
    canonical bytes -> digest                  strict reading (canonical.loads_strict)
    (canonical.canonical_bytes)                         |
          |                                             v
          +------> positions, moves, chance, records <--+
                   (spec/schemas/protocol, docs/protocol.md)

This room needs nothing but Python, so that it works in a browser too. It knows how things are
written, not what is legal: that is the engine's. Talking to other programs is the kit's.
"""
