"""All laws, and how to check them on a text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from mdbench.source import Source, SourceError
from tests.fuzz import commands, laws, shows
from tests.fuzz.guard import hang_guard

Law = Callable[[bytes], None]


def _hold_text(law: Callable[[Source], None], data: bytes) -> None:
    try:
        source = Source.from_bytes("report.md", data)
    except SourceError:
        # Files that are not text are handled by the commands.
        return
    law(source)


LINTS = "no crash"
"""The cheapest law, for a million reports."""
LAWS: dict[str, Law] = {
    LINTS: partial(_hold_text, laws.hold_no_crash),
    "document": partial(_hold_text, laws.hold_document),
    "lint": partial(_hold_text, laws.hold_lint),
    "fixes": partial(_hold_text, laws.hold_fixes),
    "rendering": partial(_hold_text, laws.hold_rendering),
    "additions": partial(_hold_text, laws.hold_additions),
    "rows": partial(_hold_text, laws.hold_rows),
    "formats": partial(_hold_text, shows.hold_formats),
    "exports": partial(_hold_text, shows.hold_exports),
    "lint command": commands.hold_lint_command,
    "fix command": commands.hold_fix_command,
    "other commands": commands.hold_other_commands,
}
"""The name of each law, and the function that fails if it does not hold."""


def put_to(data: bytes, names: Iterable[str] = LAWS) -> None:
    """Fail if a law does not hold for these bytes, or takes too long."""
    for name in names:
        with hang_guard(len(data)):
            LAWS[name](data)
