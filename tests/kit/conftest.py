"""What the tests of the kit share."""

from dataclasses import replace
from functools import cache

import pytest
from kit.wrong import Fake

from ludex.authoring.document import load_document
from ludex_tck.campaign import Campaign
from ludex_tck.checks import CLASSES
from ludex_tck.implementation import Implementation
from ludex_tck.profiles import PROFILES

#: The classes that are about the rules of a game.
RULES = tuple(c for c in CLASSES if c != "robust")


@cache
def load(components="standard"):
    return load_document("poodle-taxi", components)


@pytest.fixture(scope="session")
def document():
    """The game document of Poodle Taxi."""
    return load()


@pytest.fixture(scope="session")
def small():
    """The same with three colours."""
    return load("small")


@cache
def campaign(name, players, cases, findings, shrinks, seed, classes, seconds):
    implementation = Implementation(["program"], load())
    implementation.process = Fake(load(), name, players)
    profile = replace(PROFILES["smoke"], cases=cases, findings=findings, shrinks=shrinks,
                      seconds=seconds)
    made = Campaign(implementation, implementation.hello(), load(), profile, seed, classes=classes)
    made.run()
    made.finish()
    return made


@pytest.fixture(scope="session")
def campaign_of():
    """Return a function that runs a campaign against a program with a fault, in this process.

    Equal calls share a campaign, unless it is to be `fresh`.
    """

    def run(name, *, fresh=False, players=(2,), cases=15, findings=1, shrinks=30, seed=0,
            classes=RULES, seconds=300):
        call = campaign.__wrapped__ if fresh else campaign
        return call(name, players, cases, findings, shrinks, seed, classes, seconds)

    return run
