"""The settings of one run: what the command line says over what the configuration does."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from mdbench.config.settings import Settings
from mdbench.problems import ProblemError
from mdbench.rules import RULES
from mdbench.selection import is_code


def choose_settings(arguments: argparse.Namespace) -> Settings:
    """The settings of a command that may be told which rules count."""
    settings: Settings = arguments.settings
    return settings.ask(
        paths=arguments.paths or None,
        select=_read_codes(arguments.select),
        ignore=_read_codes(arguments.ignore),
        fail_on=arguments.fail_on,
    )


def _read_codes(asked: Sequence[str] | None) -> list[str] | None:
    codes = [code.strip().upper() for text in asked or () for code in text.split(",")]
    for code in filter(None, codes):
        if not is_code(code) or not any(known.startswith(code) for known in RULES):
            raise ProblemError(f"{code}: no rule has this code; `mdbench rules` lists them all")
    return None if asked is None else list(filter(None, codes))
