"""The files that a command works on."""

from __future__ import annotations

from collections.abc import Sequence

from mdbench.discovery import SUFFIXES, default_paths, find_reports
from mdbench.problems import Complaints, ProblemError, report_problem


def list_reports(asked: Sequence[str], complain: Complaints) -> list[str]:
    """The reports that the paths stand for; a path that is not there does not stop the others."""
    places = asked or default_paths()
    found = list(find_reports(places, complain))
    if not found and complain.count:
        # Nothing was found because of a mistake: better no output than an empty one.
        raise ProblemError("nothing to read")
    if not found:
        report_problem(f"no reports ({', '.join(SUFFIXES)}) in {', '.join(places)}")
    return found
