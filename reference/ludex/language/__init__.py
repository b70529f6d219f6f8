"""The expression language: text to typed tree.

::

    text ──parser──> syntax tree ──checker (names, types)──> typed tree (JSON, in the game document)

``types``      type terms such as ``list(stack(Card))``
``syntax``     the nodes of the syntax tree
``parser``     a Pratt parser for the CEL subset
``operators``  one table of operators, functions and macros: typing rule and Python template
``checker``    resolves names, checks types, writes the typed tree

Nothing here reads YAML; nothing here runs a game.
"""
