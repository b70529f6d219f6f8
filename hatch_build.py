"""Put the specs into a built wheel; an editable install reads them from the checkout."""

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class SpecHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict) -> None:
        if version != "editable":
            build_data["force_include"]["spec"] = "ludex/_spec"
