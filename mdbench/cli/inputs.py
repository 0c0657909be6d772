"""The settings and the files that a command works with."""

from __future__ import annotations

import os
from collections.abc import Sequence

from mdbench.cli.options import ConfigOptions
from mdbench.config.loading import check_settings, read_settings
from mdbench.config.settings import Settings
from mdbench.files.console import Console
from mdbench.files.discovery import default_paths, find_reports
from mdbench.files.errors import Errors, ProblemError, report_error
from mdbench.linting.cache.place import VARIABLE
from mdbench.linting.selection import is_code
from mdbench.source import SUFFIXES


def read_configuration(options: ConfigOptions) -> Settings:
    """The settings of the configuration file, not yet checked, and of the command line."""
    settings = read_settings(options.config, force_exclude=options.force_exclude)
    return settings.ask(max_file_size=options.max_file_size)


def load_configuration(options: ConfigOptions) -> Settings:
    """The settings of the configuration file, checked, and of the command line."""
    return check_settings(read_configuration(options))


def select_rules(
    settings: Settings,
    paths: Sequence[str],
    select: Sequence[str] | None,
    ignore: Sequence[str] | None,
    fail_on: str | None,
) -> Settings:
    """The settings with the paths and rules of the command line."""
    return settings.ask(
        paths=paths or None,
        select=split_codes(select),
        ignore=split_codes(ignore),
        fail_on=fail_on,
        cache_dir=os.environ.get(VARIABLE) or None,
    )


def split_codes(given: Sequence[str] | None) -> list[str] | None:
    """The codes of an option; None if it was not given."""
    if given is None:
        return None
    codes = (code.strip().upper() for text in given for code in text.split(","))
    return list(filter(None, codes))


def check_codes(settings: Settings) -> None:
    """Raise `ProblemError` for a code of the command line that no rule has."""
    codes = [*settings.asked.get("select", ()), *settings.asked.get("ignore", ())]
    if not codes:
        return
    # Loaded only if there is something to check.
    from mdbench.rules.loading import RULES  # noqa: PLC0415

    for code in codes:
        if not is_code(code) or not any(known.startswith(code) for known in RULES):
            raise ProblemError(f"{code}: no rule has this code; `mdbench rules` lists all rules")


def list_reports(
    paths: Sequence[str], settings: Settings, errors: Errors, console: Console
) -> list[str]:
    """The reports in the paths; a missing path does not stop the others."""
    places = paths or settings.paths or default_paths()
    exclude = settings.exclude
    found = list(find_reports(places, errors.report, exclude))
    if exclude is not None and settings.force_exclude:
        found = [path for path in found if not exclude.covers(os.path.realpath(path))]
    console.log_step(f"searched {', '.join(places)}: {len(found)} reports")
    if not found and errors.count:
        # Nothing was found because of an error: better no output than an empty one.
        raise ProblemError("no files to read")
    if not found:
        report_error(f"no reports ({', '.join(SUFFIXES)}) in {', '.join(places)}")
    return found
