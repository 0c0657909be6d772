"""The parts of the documentation that are generated from the code."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from handbook.commands import show_commands, show_common_options, show_overview
from handbook.interface import show_classes, show_functions
from handbook.regions import fill_regions, find_regions
from handbook.tables import show_cells, show_others, show_relations, show_runs

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
MEASURED = (
    "calibration",
    "crawl",
    "detection",
    "detection summary",
    "engine",
    "growth",
    "speed",
    "speed summary",
    "table growth",
    "updating",
)
"""Regions that benchmarks write."""


def fill_parts(text: str) -> str:
    """Regenerate the parts of a page. Measured regions stay as they are."""
    return fill_regions(text, {name: PARTS[name]() for name in find_regions(text) if name in PARTS})
