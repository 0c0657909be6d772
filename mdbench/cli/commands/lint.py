"""`mdbench lint`: what does not add up in reports."""

from __future__ import annotations

import argparse
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from mdbench.cli.inputs import list_reports
from mdbench.cli.remembered import open_remembered
from mdbench.cli.settings import choose_settings
from mdbench.cluster.arguments import wants_dask
from mdbench.config.loading import check_settings, read_settings
from mdbench.errors import OK, Complaints
from mdbench.files.discovery import STANDARD_INPUT
from mdbench.files.notices import is_quiet, is_verbose, tell_step
from mdbench.files.progress import show_progress
from mdbench.files.writing import on_terminal, open_output
from mdbench.linting.plan import Plan
from mdbench.linting.results import FileResult, Totals
from mdbench.output.terminal import Palette, choose_palette
from mdbench.rules.findings import Safety, Severity

if TYPE_CHECKING:
    from mdbench.config.settings import Settings
    from mdbench.linting.baseline import Baseline
    from mdbench.linting.cache.memory import Memory

_FOUND = 1
_FOR_PEOPLE = frozenset(("full", "concise"))


def run_lint(arguments: argparse.Namespace) -> int:
    """Show the findings; 1 if some are as bad as asked for, 2 if something could not be done."""
    stated = read_settings(arguments.config, force_exclude=arguments.force_exclude)
    stated = stated.ask(max_file_size=arguments.max_file_size)
    memory = None if wants_dask(arguments) else open_remembered(arguments, stated)
    vouched = memory is not None and memory.vouches
    arguments.settings = stated if vouched else check_settings(stated)
    settings = choose_settings(arguments, vouched=vouched)
    arguments.memory = memory
    if wants_dask(arguments):
        return _run_engine(arguments, settings)
    try:
        return _lint(arguments, settings)
    finally:
        if memory is not None:
            memory.save()


def _run_engine(arguments: argparse.Namespace, settings: Settings) -> int:
    from mdbench.cluster import run_engine  # noqa: PLC0415

    return run_engine(arguments, settings)


def _lint(arguments: argparse.Namespace, settings: Settings) -> int:
    arguments.fail_on = settings["fail-on"]
    baseline = _open_baseline(arguments, settings)
    complain = Complaints()
    paths = sorted(list_reports(arguments.paths, complain, arguments.settings))
    plan = Plan(
        settings.selection,
        arguments.statistics,
        arguments.stdin_filename,
        settings.most_bytes,
        fix=_read_safety(arguments),
        write=arguments.fix and not arguments.diff,
        per_file=settings.per_file,
        describe=baseline is not None,
    )
    totals = Totals()
    checked = _pass_problems(_check(paths, plan, arguments), complain)
    if baseline is not None:
        checked = baseline.sift(checked)
    reports = totals.watch(checked)
    if baseline is not None and arguments.write_baseline:
        deque(reports, maxlen=0)
        _renew(baseline, plan)
        return complain.exit_code
    try:
        _show(_print_fixed(reports, paths, plan), totals, arguments, _is_filter(paths, plan))
    except BrokenPipeError:
        if plan.write:
            # Whoever reads along has seen enough; the other files are to be fixed all the same.
            deque(reports, maxlen=0)
        raise
    if baseline is not None and not is_quiet():
        _tell_known(baseline, plan)
    if complain.count:
        return complain.exit_code
    found = totals.fixed > 0 if arguments.diff else totals.reaches(Severity(arguments.fail_on))
    return _FOUND if found else OK


def _open_baseline(arguments: argparse.Namespace, settings: Settings) -> Baseline | None:
    named = arguments.write_baseline or arguments.baseline
    if not named and (arguments.no_baseline or settings.baseline is None):
        return None
    # Loaded only where there is a baseline.
    from mdbench.cli.known import open_baseline  # noqa: PLC0415

    return open_baseline(arguments, settings)


def _renew(baseline: Baseline, plan: Plan) -> None:
    from mdbench.cli.known import renew_baseline  # noqa: PLC0415

    _tell(f"{renew_baseline(baseline, plan.wants)}\n")


def _tell_known(baseline: Baseline, plan: Plan) -> None:
    from mdbench.cli.known import tell_baseline  # noqa: PLC0415

    for line in tell_baseline(baseline, plan.wants):
        _tell(f"{line}\n")


def _read_safety(arguments: argparse.Namespace) -> Safety | None:
    if not (arguments.fix or arguments.diff):
        return None
    return Safety.UNSAFE if arguments.unsafe_fixes else Safety.SAFE


def _is_filter(paths: Sequence[str], plan: Plan) -> bool:
    """Whether the fixed text goes to standard output."""
    return plan.write and STANDARD_INPUT in paths


def _check(paths: Sequence[str], plan: Plan, arguments: argparse.Namespace) -> Iterator[FileResult]:
    memory: Memory | None = arguments.memory
    check = partial(_check_anew, plan=plan, arguments=arguments)
    reports = check(paths) if memory is None else memory.check(paths, plan, check)
    shared = on_terminal(arguments.output)
    return show_progress(reports, len(paths), "checking", lambda one: shared and bool(one.findings))


def _check_anew(
    paths: Sequence[str], plan: Plan, arguments: argparse.Namespace
) -> Iterator[FileResult]:
    # Loaded only where something is not known from before.
    from mdbench.files.workers import default_jobs, map_files  # noqa: PLC0415
    from mdbench.linting.runner import lint_file  # noqa: PLC0415

    jobs = 1 if STANDARD_INPUT in paths else arguments.jobs or default_jobs()
    plan = plan._replace(extensions=check_settings(arguments.settings).extensions)
    yield from map_files(partial(lint_file, plan=plan), paths, jobs=jobs)


def _pass_problems(reports: Iterable[FileResult], complain: Complaints) -> Iterator[FileResult]:
    for report in reports:
        if report.fixed.problem:
            complain(report.fixed.problem)
        if is_verbose():
            tell_step(f"{report.path}: {report.tally.total} findings")
        yield report


def _print_fixed(
    reports: Iterable[FileResult], paths: Sequence[str], plan: Plan
) -> Iterator[FileResult]:
    for path, report in zip(paths, reports, strict=True):
        if path == STANDARD_INPUT and plan.write:
            with open_output(None) as sink:
                sink.write(report.source.to_bytes())
        yield report


def _show(
    reports: Iterable[FileResult], totals: Totals, arguments: argparse.Namespace, aside: bool
) -> None:
    """Write the findings, or the diffs; aside to standard error where the output is a report."""
    if aside and arguments.output is None:
        palette = choose_palette(terminal=sys.stderr is not None and sys.stderr.isatty())
        for text in _write(reports, totals, arguments, palette):
            _tell(text)
    else:
        terminal = on_terminal(arguments.output)
        palette = choose_palette(terminal=terminal)
        with open_output(arguments.output) as sink:
            for text in _write(reports, totals, arguments, palette, terminal=terminal):
                sink.write(text.encode("utf-8", "backslashreplace"))
    if arguments.format not in _FOR_PEOPLE or arguments.diff:
        # What programs read stays as it is; what is counted goes where people look.
        for text in _count(totals, arguments):
            _tell(text)


def _tell(text: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(text)


def _write(
    reports: Iterable[FileResult],
    totals: Totals,
    arguments: argparse.Namespace,
    palette: Palette,
    *,
    terminal: bool = False,
) -> Iterator[str]:
    if arguments.diff:
        from mdbench.output.patch import write_patches  # noqa: PLC0415

        yield from write_patches(reports, palette, terminal=terminal)
        return
    if arguments.format not in _FOR_PEOPLE:
        yield from _write_for_programs(reports, arguments)
        return
    from mdbench.output.summary import summarize  # noqa: PLC0415

    if arguments.format == "concise":
        from mdbench.output.concise import write_concise as write  # noqa: PLC0415
    else:
        from mdbench.output.full import write_full as write  # noqa: PLC0415
    memory: Memory | None = arguments.memory
    if memory is None:
        yield from write(reports, palette)
    else:
        look = f"{arguments.format} in colour" if palette.on else arguments.format
        yield from memory.show(reports, look, partial(write, palette=palette))
    if arguments.statistics:
        yield from _statistics(totals)
    if is_quiet():
        return
    yield summarize(totals, palette) + "\n"
    yield from _fixes(totals, arguments)


def _write_for_programs(
    reports: Iterable[FileResult], arguments: argparse.Namespace
) -> Iterator[str]:
    memory: Memory | None = arguments.memory
    if memory is not None and arguments.format == "json":
        from mdbench.output.json import join_rows, write_rows  # noqa: PLC0415

        return join_rows(memory.show(reports, "json", write_rows))
    write = _choose_writer(arguments)
    if memory is not None and arguments.format == "github":
        # It calls files as they are called from here.
        return memory.show(reports, f"github in {os.getcwd()}", write)
    return write(reports)


def _choose_writer(
    arguments: argparse.Namespace,
) -> Callable[[Iterable[FileResult]], Iterator[str]]:
    """What writes the findings for a program; only the format that is asked for is loaded."""
    module = import_module(f"mdbench.output.{arguments.format}")
    write: Callable[..., Iterator[str]] = getattr(module, f"write_{arguments.format}")
    if arguments.format == "junit":
        return partial(write, threshold=Severity(arguments.fail_on))
    return write


def _count(totals: Totals, arguments: argparse.Namespace) -> Iterator[str]:
    if arguments.statistics:
        yield from _statistics(totals)
    if (arguments.fix or arguments.diff) and not is_quiet():
        yield from _fixes(totals, arguments)


def _statistics(totals: Totals) -> Iterator[str]:
    from mdbench.output.summary import list_statistics  # noqa: PLC0415

    yield from (f"{line}\n" for line in (*list_statistics(totals), ""))


def _fixes(totals: Totals, arguments: argparse.Namespace) -> Iterator[str]:
    from mdbench.output.summary import offer_fixes, tell_fixes  # noqa: PLC0415

    asked = arguments.fix or arguments.diff
    lines = tell_fixes(totals, written=not arguments.diff) if asked else offer_fixes(totals)
    yield from (f"{line}\n" for line in lines)
