"""Where the schemas and the games lie: inside an installed package, or in a checkout."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from ludex.errors import UsageError

__all__ = ["spec_home"]


def spec_home() -> Traversable:
    """Return the folder that holds ``schemas/`` and ``games/``.

    Returns
    -------
    Traversable
        ``ludex/_spec`` if the package carries it (a built wheel does), else ``spec/`` beside
        the ``reference/`` folder of the checkout that this module was imported from.

    Raises
    ------
    UsageError
        If there is neither: the installation is not complete.
    """
    carried = files("ludex").joinpath("_spec")
    if carried.is_dir():
        return carried
    checkout = _checkout() / "spec"
    if checkout.is_dir():
        return checkout
    raise UsageError(
        f"expected the specs in {carried} or {checkout}, found neither",
        code="usage.no-spec-home",
        hint="install ludex again, or run it from a complete checkout",
    )


def _checkout() -> Path:
    # .../reference/ludex/authoring/spec_home.py
    return Path(__file__).resolve().parents[3]
