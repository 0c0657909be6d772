"""Check one file, and fix it if requested."""

from __future__ import annotations

from functools import partial

from mdbench.files.discovery import STANDARD_INPUT
from mdbench.files.errors import ProblemError
from mdbench.files.reading import read_source, report_name
from mdbench.files.timeouts import run_within
from mdbench.files.writing import replace_file
from mdbench.linting.checker import examine_context, report_crash, report_unreadable
from mdbench.linting.coverage import measure_coverage, measure_reach
from mdbench.linting.plan import Plan
from mdbench.linting.results import UNMEASURED, Checked, FixOutcome
from mdbench.markdown.comments import may_bind
from mdbench.markdown.long_tables import split_long_tables
from mdbench.rules.context import Context
from mdbench.rules.findings import Safety
from mdbench.sheets.report import read_report
from mdbench.source import Source, SourceError
from mdbench.vocabulary.quantities import extended_vocabulary


def lint_file(path: str, plan: Plan) -> Checked:
    """Check a file; an unreadable file gets a finding that says so."""
    report = _lint_file(path, plan.for_file(path))
    if not plan.describe:
        return report
    from mdbench.linting.baseline import describe_findings  # noqa: PLC0415

    return report._replace(entries=describe_findings(report.source, report.findings))


def _lint_file(path: str, plan: Plan) -> Checked:
    name = report_name(path, plan.stdin_name)
    try:
        source = read_source(path, plan.stdin_name, plan.most_bytes)
        result = run_within(plan.most_seconds, partial(_check, source, plan))
    except SourceError as error:
        if plan.write and path == STANDARD_INPUT:
            # Fail: the output may replace the input, which must not become empty.
            raise ProblemError(f"{name} {error}") from error
        return Checked(Source(name, ""), report_unreadable(str(error), plan.options))
    if plan.write and result.source.text != source.text and path != STANDARD_INPUT:
        try:
            replace_file(path, source.to_bytes(), result.source.to_bytes())
        except ProblemError as error:
            return lint_source(source, plan)._replace(fixed=FixOutcome(problem=str(error)))
    return result


def _check(source: Source, plan: Plan) -> Checked:
    """Check a text, and change it if requested; nothing is written."""
    if plan.add_ignores:
        return _add_ignores(source, plan)
    if plan.fix is None:
        return lint_source(source, plan)
    return _fix(source, plan, plan.fix)


def _add_ignores(source: Source, plan: Plan) -> Checked:
    # Imported lazily: needed only for this.
    from mdbench.linting.ignore_comments import add_ignores  # noqa: PLC0415
    from mdbench.linting.patches import write_patch  # noqa: PLC0415

    try:
        report = read_report(source, extended_vocabulary(plan.extensions))
        done = add_ignores(report, plan.options)
    except Exception as error:  # noqa: BLE001 - one report must not stop the others
        return Checked(source, report_crash("ignoring findings", error, plan.options))
    patch = () if plan.write else tuple(write_patch(source, done.source))
    reach = lint_source(done.source, plan).reach
    return Checked(done.source, done.left, fixed=FixOutcome(done.ignored, patch), reach=reach)


def _fix(source: Source, plan: Plan, allowed: Safety) -> Checked:
    # Imported lazily: needed only for fixes.
    from mdbench.linting.fixer import MOST_ROUNDS, fix  # noqa: PLC0415
    from mdbench.linting.patches import write_patch  # noqa: PLC0415

    fixed = fix(source, plan.options, allowed=allowed)
    problem = "; ".join(f"{one.finding.code} would change {one}" for one in fixed.refused)
    if problem:
        problem = f"{source.path}: not fixed, because a safe fix was not safe: {problem}"
    elif not fixed.converged:
        problem = f"{source.path}: {MOST_ROUNDS} rounds of fixes were not enough; run it again"
    patch = () if plan.write else tuple(write_patch(source, fixed.source))
    outcome = FixOutcome(len(fixed.applied), patch, problem)
    report = Checked(fixed.source, fixed.findings, fixed=outcome, reach=fixed.reach)
    if plan.statistics or plan.suppressed:
        again = lint_source(fixed.source, plan)
        return report._replace(coverage=again.coverage, suppressed=again.suppressed)
    return report


def lint_source(source: Source, plan: Plan) -> Checked:
    """Check a text."""
    options = plan.options
    try:
        # What counts all rows, or compares them with results, needs them at once.
        at_once = plan.statistics or plan.suppressed or may_bind(source.text)
        parts = [] if at_once else split_long_tables(source)
        if parts:
            from mdbench.linting.long_reports import lint_parts  # noqa: PLC0415 - very rare

            return lint_parts(source, parts, options)
        context = Context(read_report(source, extended_vocabulary(plan.extensions)), plan.results)
        findings, suppressed = examine_context(context, options)
        coverage = measure_coverage(context) if plan.statistics else UNMEASURED
        reach = measure_reach(context)
    except Exception as error:  # noqa: BLE001 - one report must not stop the others
        return Checked(source, report_crash("reading the report", error, options))
    return Checked(source, findings, coverage, reach=reach, suppressed=suppressed)
