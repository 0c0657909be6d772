"""How a rule is made known: a decorator that keeps its code, name and severity beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from mdbench.rules.context import Context
from mdbench.rules.findings import Finding, Severity, Violation

Check = Callable[[Context], Iterator[Violation]]

registered: dict[str, Rule] = {}
"""Every rule that was loaded, by its code."""


class Rule(NamedTuple):
    """A rule: what it is called, how bad what it finds is, and the function that looks."""

    code: str
    name: str
    severity: Severity
    check: Check
    subsumes: tuple[str, ...] = ()
    """Codes whose findings on the cells that this one explains are dropped."""

    @property
    def text(self) -> str:
        """The rule's documentation, without the indent of the code."""
        first, _, rest = (self.check.__doc__ or "").partition("\n")
        lines = [line.removeprefix("    ").rstrip() for line in rest.splitlines()]
        return "\n".join((first, *lines)).strip()

    @property
    def summary(self) -> str:
        """The first line of the documentation."""
        return self.text.partition("\n")[0]

    def find(self, violation: Violation) -> Finding:
        """The finding that a violation of this rule is."""
        return Finding(
            self.code,
            self.name,
            self.severity,
            violation.span,
            violation.message,
            violation.evidence,
            violation.fixes,
            violation.cells or (violation.span,),
        )


def rule(
    code: str, name: str, severity: Severity, *, subsumes: tuple[str, ...] = ()
) -> Callable[[Check], Check]:
    """Make a generator function a rule; its docstring is its documentation and its test."""

    def register(check: Check) -> Check:
        if code in registered:
            raise ValueError(f"{code} is the code of two rules")
        registered[code] = Rule(code, name, severity, check, subsumes)
        return check

    return register
