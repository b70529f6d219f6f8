"""Settings that all tests share."""

from hypothesis import settings

# a deadline measures how busy the machine is, not whether the code is right
settings.register_profile("ludex", deadline=None)
settings.load_profile("ludex")
