"""MB000: a rule broke."""

from __future__ import annotations

from collections.abc import Iterator

from mdbench.rules.context import Context
from mdbench.rules.findings import Severity, Violation
from mdbench.rules.registry import rule


@rule("MB000", "rule-crashed", Severity.ERROR)
def rule_crashed(_context: Context) -> Iterator[Violation]:
    """A rule broke while it looked at the report.

    This is a defect of mdbench, not of the report. The other rules have looked all the same. The
    message names the rule and what went wrong: please report both, with the table if you can.

    Until it is fixed, `--ignore` with the code of the rule that broke leaves that rule out.
    """
    # The checker reports this; no rule can see that another one broke.
    yield from ()
