"""Every setting: its name, what it may be, what it is for. All else is made from this."""

from __future__ import annotations

from typing import Any, NamedTuple

from mdbench.config.kinds import (
    Either,
    Flag,
    Kind,
    ListOf,
    Number,
    Record,
    TableOf,
    Text,
)
from mdbench.config.settings import DEFAULTS
from mdbench.files.globs import compile_glob
from mdbench.files.limits import read_size
from mdbench.results.files import judge_pattern
from mdbench.rules.names import judge_code

PRECISIONS = ("bf16", "fp16", "fp32", "tf32", "fp64", "fp8", "fp6", "fp4", "int8", "int4")
# What SQL does not take for a table without quotes.
_SQL_WORDS = frozenset(
    """all analyse analyze and any array as asc asymmetric both case cast check collate column
    constraint create default deferrable desc describe distinct do else end except false fetch for
    foreign from grant group having in initially intersect into lambda lateral leading limit not
    null offset on only or order pivot pivot_longer pivot_wider placing primary qualify references
    returning select show some summarize symmetric table then to trailing true union unique unpivot
    using variadic when where window with""".split()
)
_ROLES = ("measurement", "setting", "identity", "score")


class Option(NamedTuple):
    """One setting."""

    name: str
    kind: Kind
    help: str

    @property
    def default(self) -> Any:
        """Its value where nobody says one."""
        return DEFAULTS[self.name]


def _judge_pattern(pattern: str) -> str:
    bare = pattern.removeprefix("!").removesuffix("/")
    return "" if compile_glob(bare) is not None else f"{pattern!r} is not a pattern of paths"


def _judge_size(text: str) -> str:
    return "" if read_size(text) else f"{text!r} is not a size above 0, such as '20MB'"


def _judge_table(name: str) -> str:
    return f"{name!r} is a word of SQL; choose another name" if name in _SQL_WORDS else ""


_CODE = Text(
    "a code such as 'MB301', a prefix such as 'MB3', or a name such as 'shifted-row'",
    (),
    r"MB\d{0,3}|ALL|[a-z-]+",
    judge_code,
)
_CODES = ListOf(_CODE, "a list of codes")
_PATTERN = Text("a pattern of paths", judge=_judge_pattern)
_PATH = Text("a path", pattern=r".+")
_UNIT = Text("a unit")
_NAME = Text(
    "a name of lowercase letters, digits and _, such as 'queue_time_s'", (), r"[a-z][a-z0-9_]+"
)
_TABLE = Text(
    "a name of lowercase letters, digits and _, such as 'runs'",
    (),
    r"[a-z][a-z0-9_]{0,59}",
    _judge_table,
)
_FILES = Text("a pattern of paths, such as 'bench/*.json'", judge=judge_pattern)
_HEADER = Text("the text of a header", (), r".*\S.*")

OPTIONS: tuple[Option, ...] = (
    Option(
        "paths",
        ListOf(_PATH, "a list of paths"),
        "Files and folders to read if the command line has none, relative to this file.",
    ),
    Option(
        "exclude",
        ListOf(_PATTERN, "a list of patterns"),
        "Files and folders to skip, as .gitignore patterns relative to this file.",
    ),
    Option(
        "select", _CODES, "The rules to check, as codes, prefixes of codes or names. Default: all."
    ),
    Option("ignore", _CODES, "The rules not to check. The longest matching prefix wins."),
    Option(
        "per-file-ignores",
        TableOf(_PATTERN, _CODES, "a table from patterns of paths to codes"),
        "The rules not to check in files that match a pattern.",
    ),
    Option(
        "fail-on",
        Text("a severity", ("error", "warning", "info", "never")),
        "The lowest severity that makes the exit code 1.",
    ),
    Option(
        "cache-dir",
        _PATH,
        "The folder for the cache of lint, relative to this file.",
    ),
    Option(
        "max-file-size",
        Text("a size such as '20MB', '512KiB' or '1000'", judge=_judge_size),
        "The largest report to read. Larger ones are reported as unreadable.",
    ),
    Option(
        "timeout-per-file",
        Number("a number of seconds, 0 for no limit", zero=True),
        "How many seconds one report may take. Slower ones are reported as unreadable.",
    ),
    Option(
        "columns",
        TableOf(
            _HEADER,
            Either(
                Text("the name of a quantity"),
                Record(
                    {"quantity": Text("the name of a quantity"), "unit": _UNIT},
                    ("quantity",),
                    "a table of quantity and unit",
                ),
            ),
            "a table from headers to quantities",
        ),
        "What a header means: the name of a quantity, and the unit of numbers without one.",
    ),
    Option(
        "quantities",
        TableOf(
            _NAME,
            Either(
                _UNIT,
                Record(
                    {
                        "unit": _UNIT,
                        "role": Text("a role", _ROLES),
                        "integer": Flag(),
                        "spellings": ListOf(_HEADER, "a list of headers"),
                    },
                    ("unit",),
                    "a table of unit, role, integer and spellings",
                ),
            ),
            "a table from names to units",
        ),
        "New quantities, each a column of the data frame: its unit, or a table with details.",
    ),
    Option(
        "relations",
        ListOf(
            Text("an equation such as 'cost_usd = device_hours * 1.86'", (), r"[^=]+=[^=]+"),
            "a list of equations",
        ),
        "Equations between quantities. Each name is in the unit that is part of it.",
    ),
    Option(
        "peaks",
        TableOf(
            Text("the name of a device", (), r".*[A-Za-z0-9].*"),
            Either(
                Number(),
                TableOf(
                    Text("a precision", PRECISIONS), Number(), "a table from precisions to TFLOPS"
                ),
            ),
            "a table from devices to TFLOPS",
        ),
        "The peak performance of devices in TFLOPS: one number, or one per precision.",
    ),
    Option(
        "constants",
        TableOf(Text("the name of a setting"), Number(), "a table from settings to numbers"),
        "Values of settings that a report does not state, in the unit of their name.",
    ),
    Option(
        "results",
        TableOf(_TABLE, _FILES, "a table from names to patterns of paths"),
        "Result files as tables for SQL: the name of each table, and a pattern of its files.",
    ),
)
