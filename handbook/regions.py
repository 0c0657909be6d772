"""The parts of a page that are made from the code: they stand between two comments."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from handbook.catalogue import show_relations
from handbook.commands import show_commands, show_common_options, show_overview
from handbook.frames import show_cells, show_others, show_runs
from handbook.interface import show_classes, show_functions

_REGION = re.compile(
    r"(?P<begin><!-- begin: (?P<name>[\w ]+) -->)\n.*?(?P<end><!-- end: (?P=name) -->)", re.DOTALL
)
PARTS: Mapping[str, Callable[[], str]] = {
    "cells": show_cells,
    "classes": show_classes,
    "commands": show_commands,
    "common options": show_common_options,
    "functions": show_functions,
    "other quantities": show_others,
    "overview": show_overview,
    "relations": show_relations,
    "runs": show_runs,
}


def fill_regions(text: str) -> str:
    """A page with those parts as the code has them now."""

    def fill(match: re.Match[str]) -> str:
        return f"{match['begin']}\n\n{PARTS[match['name']]().strip()}\n\n{match['end']}"

    return _REGION.sub(fill, text)


def named_regions(text: str) -> list[str]:
    """The parts that a page has."""
    return [match["name"] for match in _REGION.finditer(text)]
