"""MB000: a rule crashed."""

from __future__ import annotations

from collections.abc import Iterator

from mdbench.rules.context import Context
from mdbench.rules.findings import Severity, Violation
from mdbench.rules.registry import rule


@rule("MB000", "rule-crashed", Severity.ERROR)
def rule_crashed(_context: Context) -> Iterator[Violation]:
    """A rule crashed while checking the report.

    This is a bug in mdbench, not in the report. All other rules still ran. The message names the
    rule and the error: please report both, with the table if you can.

    Until it is fixed, pass the code of that rule to `--ignore` to skip it.
    """
    # The checker reports this; no rule can see that another one crashed.
    yield from ()
