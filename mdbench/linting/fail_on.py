"""Which findings make a run fail."""

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from mdbench.rules.findings import Severity

NEVER = "never"


def read_threshold(text: str) -> Severity | None:
    """The lowest severity that fails; None for `never`."""
    return None if text == NEVER else Severity(text)


class FailOn(NamedTuple):
    """The lowest severity that fails, which may differ in some folders; None if nothing does."""

    usual: Severity | None = Severity.WARNING
    folders: Mapping[str, Severity | None] = MappingProxyType({})

    def fails(self, path: str, severity: Severity) -> bool:
        """Whether a finding in a file fails."""
        lowest = self.usual
        if self.folders:
            lowest = self.folders.get(os.path.dirname(os.path.abspath(path)), lowest)
        return lowest is not None and severity.rank >= lowest.rank


USUAL = FailOn()
