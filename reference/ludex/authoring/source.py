"""A cursor into a YAML document: a value together with its place and its path."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ludex.authoring.strict_yaml import Document
from ludex.errors import Place, SpecError

__all__ = ["Cursor"]


@dataclass(frozen=True)
class Cursor:
    """One value of a document.

    Attributes
    ----------
    document : Document
        The file.
    path : tuple of str or int
        From the root of the file to the value.
    value : object
        The value itself.
    """

    document: Document
    path: tuple[str | int, ...]
    value: Any

    @classmethod
    def root(cls, document: Document) -> Cursor:
        """Return the cursor at the root."""
        return cls(document, (), document.value)

    @property
    def place(self) -> Place:
        """Where the value stands."""
        return self.document.place(self.path)

    @property
    def key_place(self) -> Place:
        """Where the key of the value stands."""
        return self.document.key_place(self.path)

    def at_offset(self, offset: int) -> Place:
        """Return the place of one character of a text value."""
        return self.document.text_place(self.path, offset)

    def key_at_offset(self, offset: int) -> Place:
        """Return the place of one character of the value's key."""
        return self.document.key_text_place(self.path, offset)

    def __contains__(self, key: str | int) -> bool:
        return isinstance(self.value, dict) and key in self.value

    def __getitem__(self, key: str | int) -> Cursor:
        return Cursor(self.document, (*self.path, key), self.value[key])

    def get(self, key: str) -> Cursor | None:
        """Return the cursor of a key, or None if it is absent."""
        return self[key] if key in self else None  # noqa: SIM401, this is that method

    def items(self) -> Iterator[tuple[str, Cursor]]:
        """Go through a mapping; an absent (null) mapping is empty."""
        for key in self.value or ():
            yield key, self[key]

    def elements(self) -> Iterator[Cursor]:
        """Go through a list."""
        for index in range(len(self.value or ())):
            yield self[index]

    def error(
        self, message: str, code: str, hint: str | None = None, *, at: Place | None = None
    ) -> SpecError:
        """Return an error about this value."""
        return SpecError(message, code=f"spec.{code}", place=at or self.place, hint=hint)
