"""The files that a command works on."""

from __future__ import annotations

import os
from collections.abc import Sequence

from mdbench.config.settings import Settings
from mdbench.errors import Complaints, ProblemError, report_problem
from mdbench.files.discovery import default_paths, find_reports
from mdbench.files.notices import tell_step
from mdbench.source import SUFFIXES


def list_reports(asked: Sequence[str], complain: Complaints, settings: Settings) -> list[str]:
    """The reports that the paths stand for; a path that is not there does not stop the others."""
    places = asked or settings.paths or default_paths()
    exclude = settings.exclude
    found = list(find_reports(places, complain, exclude))
    if exclude is not None and settings.force_exclude:
        found = [path for path in found if not exclude.covers(os.path.realpath(path))]
    tell_step(f"looked in {', '.join(places)}: {len(found)} reports")
    if not found and complain.count:
        # Nothing was found because of a mistake: better no output than an empty one.
        raise ProblemError("nothing to read")
    if not found:
        report_problem(f"no reports ({', '.join(SUFFIXES)}) in {', '.join(places)}")
    return found
