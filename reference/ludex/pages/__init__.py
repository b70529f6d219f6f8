"""Pages: from a game document to the texts of the published site.

::

    game document, component sets          (GameSource)
       |   clauses   every formal clause as readable lines, with its rules and its place
       |   svg       positions as cards and boards, as the display says    (SVG)
       |   graph     places and links as maps; `labels` finds room for names
       |   diagram   the steps of the game and where its moves lead        (SVG)
       v
    rules  rulings  examples  flow  formal  describe  index     one module a page
       |   site      all pages of all games, and their order
       v
    Markdown texts by path; `ludex docs build` writes them and runs MkDocs

All of it is pure: values in, texts out. No game is known by name. What comes from a spec is data:
`markup` escapes it, so that it can be neither HTML nor Markdown.
"""

from ludex.pages.site import Site, site
from ludex.pages.source import GameSource

__all__ = ["GameSource", "Site", "site"]
