"""Register rules: a decorator that stores a rule's code, name and severity."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from mdbench.rules.confidences import RULE_CONFIDENCES, SURE_OF_ERROR, USUAL
from mdbench.rules.context import Context
from mdbench.rules.findings import Finding, Severity, Violation

Check = Callable[[Context], Iterator[Violation]]

registered: dict[str, Rule] = {}
"""All loaded rules by code."""


class Rule(NamedTuple):
    """A rule: its code and name, the severity of its findings, and its check function."""

    code: str
    name: str
    severity: Severity
    check: Check
    subsumes: tuple[str, ...] = ()
    """Codes whose findings are dropped on the cells that this rule explains."""

    @property
    def text(self) -> str:
        """The rule's documentation, dedented."""
        first, _, rest = (self.check.__doc__ or "").partition("\n")
        lines = [line.removeprefix("    ").rstrip() for line in rest.splitlines()]
        return "\n".join((first, *lines)).strip()

    @property
    def summary(self) -> str:
        """The first line of the documentation."""
        return self.text.partition("\n")[0]

    def find(self, violation: Violation) -> Finding:
        """Turn a violation of this rule into a finding."""
        confidence = violation.confidence
        if confidence is None:
            confidence = RULE_CONFIDENCES.get(self.code, USUAL)
        confidence = round(confidence, 2)
        severity = violation.severity or self.severity
        if severity is Severity.ERROR and confidence < SURE_OF_ERROR:
            severity = Severity.WARNING
        return Finding(
            self.code,
            self.name,
            severity,
            violation.span,
            violation.message,
            violation.evidence,
            violation.fixes,
            violation.cells or (violation.span,),
            confidence,
        )


def rule(
    code: str, name: str, severity: Severity, *, subsumes: tuple[str, ...] = ()
) -> Callable[[Check], Check]:
    """Register a generator function as a rule. Its docstring is its documentation and test."""

    def register(check: Check) -> Check:
        if code in registered:
            raise ValueError(f"duplicate rule code {code}")
        registered[code] = Rule(code, name, severity, check, subsumes)
        return check

    return register
