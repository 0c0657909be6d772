"""The settings and the files that a command works with."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Protocol

from mdbench.cli.options import ConfigOptions
from mdbench.config.loading import check_settings, read_settings
from mdbench.config.nearest import Nearest
from mdbench.config.settings import Settings
from mdbench.files.console import Console
from mdbench.files.discovery import default_paths, find_reports
from mdbench.files.errors import Errors, ProblemError, report_error
from mdbench.linting.cache.place import VARIABLE
from mdbench.rules.names import judge_code, read_code
from mdbench.source import SUFFIXES


class RuleOptions(Protocol):
    """The options of `add_selection`, and paths."""

    @property
    def paths(self) -> Sequence[str]:
        """The reports to read."""

    @property
    def select(self) -> Sequence[str] | None:
        """The rules to check."""

    @property
    def ignore(self) -> Sequence[str] | None:
        """The rules not to check."""

    @property
    def extend_select(self) -> Sequence[str] | None:
        """The rules to check too."""

    @property
    def fail_on(self) -> str | None:
        """The lowest severity that makes the exit code 1."""


def read_configuration(options: ConfigOptions) -> Settings:
    """The settings of the configuration file, not yet checked, and of the command line."""
    settings = read_settings(
        options.config, force_exclude=options.force_exclude, isolated=options.isolated
    )
    return settings.ask(
        max_file_size=options.max_file_size, timeout_per_file=options.timeout_per_file
    )


def load_configuration(options: ConfigOptions) -> Settings:
    """The settings of the configuration file, checked, and of the command line."""
    return check_settings(read_configuration(options))


def select_rules(settings: Settings, options: RuleOptions) -> Settings:
    """The settings with the paths and rules of the command line."""
    return settings.ask(
        paths=options.paths or None,
        select=split_codes(options.select),
        ignore=split_codes(options.ignore),
        extend_select=split_codes(options.extend_select),
        fail_on=options.fail_on,
        cache_dir=os.environ.get(VARIABLE) or None,
    )


def split_codes(given: Sequence[str] | None) -> list[str] | None:
    """The codes of an option, of which some may be names; None if it was not given."""
    if given is None:
        return None
    return [read_code(one) for text in given for one in text.split(",") if one.strip()]


def check_codes(settings: Settings) -> None:
    """Raise `ProblemError` for a code or name of the command line that no rule has."""
    for option in ("select", "ignore", "extend-select"):
        for code in settings.asked.get(option, ()):
            if wrong := judge_code(code):
                raise ProblemError(f"--{option}: {wrong}")


def list_reports(
    paths: Sequence[str], nearest: Nearest, errors: Errors, console: Console
) -> list[str]:
    """The reports in the paths; a missing path does not stop the others."""
    places = paths or nearest.run.paths or default_paths()
    found = list(find_reports(places, errors.report, nearest))
    if nearest.run.force_exclude:
        found = [path for path in found if not nearest.covers(os.path.realpath(path))]
    console.log_step(f"searched {', '.join(places)}: {len(found)} reports")
    if not found and errors.count:
        # Nothing was found because of an error: better no output than an empty one.
        raise ProblemError("no files to read")
    if not found:
        report_error(f"no reports ({', '.join(SUFFIXES)}) in {', '.join(places)}")
    return found
