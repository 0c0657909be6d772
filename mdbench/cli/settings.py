"""The settings of one run: what the command line says over what the configuration does."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from mdbench.config.settings import Settings
from mdbench.errors import ProblemError
from mdbench.linting.cache.place import VARIABLE
from mdbench.linting.selection import is_code


def choose_settings(arguments: argparse.Namespace, *, vouched: bool = False) -> Settings:
    """The settings of a command that may be told which rules count; if vouched for, unchecked."""
    settings: Settings = arguments.settings
    select, ignore = split_codes(arguments.select), split_codes(arguments.ignore)
    if not vouched:
        _check_codes([*(select or ()), *(ignore or ())])
    return settings.ask(
        paths=arguments.paths or None,
        select=select,
        ignore=ignore,
        fail_on=arguments.fail_on,
        cache_dir=os.environ.get(VARIABLE) or None,
    )


def split_codes(asked: Sequence[str] | None) -> list[str] | None:
    """The codes that an option names; None if it was not given."""
    if asked is None:
        return None
    codes = (code.strip().upper() for text in asked for code in text.split(","))
    return list(filter(None, codes))


def _check_codes(codes: Sequence[str]) -> None:
    if not codes:
        return
    # Loaded only where there is something to check.
    from mdbench.rules.loading import RULES  # noqa: PLC0415

    for code in codes:
        if not is_code(code) or not any(known.startswith(code) for known in RULES):
            raise ProblemError(f"{code}: no rule has this code; `mdbench rules` lists them all")
