"""Run the rules on a report: apply suppressions, keep one finding per cause, and sort."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mdbench.linting.plan import Options
from mdbench.linting.repeats import join_repeats
from mdbench.linting.results import Suppressed, SuppressedBy
from mdbench.linting.suppressions import apply_suppressions
from mdbench.markdown.fitting import fit_edits
from mdbench.rules.confidences import SURE_OF_WARNING
from mdbench.rules.context import Context
from mdbench.rules.findings import Finding, Repeat, Violation
from mdbench.rules.loading import RULES, Rule
from mdbench.sheets.report import Report, read_report
from mdbench.source import Source, Span
from mdbench.vocabulary.quantities import extended_vocabulary

_CRASHED, _UNREADABLE = "MB000", "MB001"
_START = Span(0, 0)


DEFAULT = Options()


class Examined(NamedTuple):
    """The findings of a report, in the order of the text, and those that comments suppress."""

    findings: tuple[Finding, ...]
    suppressed: tuple[Suppressed, ...]


def check(source: Source, options: Options = DEFAULT) -> tuple[Finding, ...]:
    """Check a report; return its findings in the order of the text."""
    try:
        report = read_report(source, extended_vocabulary(options.extensions))
    except Exception as error:  # noqa: BLE001 - one report must not stop the others
        return report_crash("reading the report", error, options)
    return check_report(report, options)


def check_report(report: Report, options: Options = DEFAULT) -> tuple[Finding, ...]:
    """Like `check`, for a report that has been read."""
    return check_context(Context(report, options.results), options)


def check_context(context: Context, options: Options = DEFAULT) -> tuple[Finding, ...]:
    """Like `check`; the context keeps what the rules compute."""
    return examine_context(context, options).findings


def examine_context(context: Context, options: Options = DEFAULT) -> Examined:
    """Like `check_context`, with the findings that comments suppress."""
    repeats: dict[Finding, Repeat] = {}
    found, kept = _find_all(context, options, repeats)
    joined = join_repeats(kept, repeats)
    told = (_fit(one, context) for one in joined if options.selection.includes(one.code))
    return Examined(tuple(sorted(told, key=_order)), _find_suppressed(found, kept))


def _find_suppressed(found: Sequence[Finding], kept: Sequence[Finding]) -> tuple[Suppressed, ...]:
    """The findings that are no longer there; nobody needs a fix for them."""
    gone = sorted(set(found).difference(kept), key=_order)
    return tuple(Suppressed(one._replace(fixes=()), SuppressedBy.COMMENT) for one in gone)


def check_each(context: Context, options: Options = DEFAULT) -> tuple[Finding, ...]:
    """Like `check_context`, with a finding for each place even if many have the same cause."""
    _, kept = _find_all(context, options, {})
    return tuple(one for one in kept if options.selection.includes(one.code))


def _find_all(
    context: Context, options: Options, repeats: dict[Finding, Repeat]
) -> tuple[list[Finding], list[Finding]]:
    """All findings, and those that no comment suppresses."""
    wanted = [one for one in RULES.values() if options.selection.includes(one.code)]
    found = [finding for one in wanted for finding in _run(one, context, repeats)]
    left = list(_drop_subsumed(found))
    ran = frozenset(one.code for one in wanted)
    return left, list(apply_suppressions(context.document, left, ran))


def report_unreadable(reason: str, options: Options = DEFAULT) -> tuple[Finding, ...]:
    """The finding for a file that could not be read."""
    if not options.selection.includes(_UNREADABLE):
        return ()
    return (RULES[_UNREADABLE].find(Violation(_START, f"this file {reason}")),)


def report_crash(where: str, error: Exception, options: Options = DEFAULT) -> tuple[Finding, ...]:
    """The finding for a bug in mdbench."""
    return (_crash(where, error),) if options.selection.includes(_CRASHED) else ()


def _run(one: Rule, context: Context, repeats: dict[Finding, Repeat]) -> Iterator[Finding]:
    try:
        for remark in one.check(context):
            finding = one.find(remark)
            if finding.confidence < SURE_OF_WARNING:
                continue
            if remark.repeat is not None:
                repeats[finding] = remark.repeat
            yield finding
    except Exception as error:  # noqa: BLE001 - one rule must not stop the others
        yield _crash(f"the rule {one.code} {one.name}", error)


def _crash(where: str, error: Exception) -> Finding:
    said = " ".join(str(error).split())
    told = f"{type(error).__name__}: {said}" if said else type(error).__name__
    message = f"{where} failed ({told}); this is a bug in mdbench, please report it"
    return RULES[_CRASHED].find(Violation(_START, message))


def _drop_subsumed(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Drop findings that another finding already explains."""
    found = list(findings)
    explained = {
        (code, cell)
        for finding in found
        for code in RULES[finding.code].subsumes
        for cell in finding.cells
    }
    for finding in found:
        if not all((finding.code, cell) in explained for cell in finding.cells):
            yield finding


def _fit(finding: Finding, context: Context) -> Finding:
    """Fit the edits of a finding's fixes to the cells that they change."""
    if not finding.fixes:
        return finding
    fixes = tuple(
        fix._replace(edits=fit_edits(context.source, context.document.tables, fix.edits))
        for fix in finding.fixes
    )
    return finding._replace(fixes=fixes)


def _order(finding: Finding) -> tuple[Span, str, str]:
    return finding.span, finding.code, finding.message
