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


@pytest.fixture(scope="session")
def campaign_of(document):
    """Return a function that runs a campaign against a program with a fault, in this process."""

    def run(name, *, players=(2,), cases=30, findings=1, shrinks=60, seed=0, classes=CLASSES,
            seconds=60):
        implementation = Implementation(["program"], document)
        implementation.process = Fake(document, name, players)
        profile = replace(PROFILES["smoke"], cases=cases, findings=findings, shrinks=shrinks,
                          seconds=seconds)
        support = implementation.hello()
        campaign = Campaign(implementation, support, document, profile, seed, classes=classes)
        campaign.run()
        campaign.finish()
        return campaign

    return run
