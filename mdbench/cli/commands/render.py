"""`mdbench render`: the same reports, clean, or written anew by a template."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from mdbench.cli.inputs import list_reports
from mdbench.errors import OK, Complaints, ProblemError, printable
from mdbench.files.discovery import STANDARD_INPUT
from mdbench.files.progress import show_progress
from mdbench.files.workers import default_jobs, map_files
from mdbench.files.writing import on_terminal, open_output, replace_file
from mdbench.output.terminal import show_lines
from mdbench.rendering.markdown import Rendering
from mdbench.rendering.rendered_files import Rendered, RenderPlan, name_targets, render_file

_WOULD_CHANGE = 1


def run_render(arguments: argparse.Namespace) -> int:
    """Write the reports; 1 if `--check` finds one that would change, 2 if something cannot be."""
    _check_options(arguments)
    complain = Complaints()
    paths = sorted(list_reports(arguments.paths, complain, arguments.settings))
    if arguments.format == "html":
        return _write_site(paths, arguments, complain)
    changed = _write(_render(paths, arguments), paths, arguments, complain)
    if complain.count:
        return complain.exit_code
    return _WOULD_CHANGE if arguments.check and changed else OK


def _check_options(arguments: argparse.Namespace) -> None:
    in_place = arguments.write or arguments.check
    if arguments.format == "html":
        if arguments.output is None:
            raise ProblemError("--format html writes several files; say -o FOLDER")
        if arguments.template or arguments.annotate or arguments.recompute or in_place:
            raise ProblemError("--format html goes only with -o")
    elif arguments.template is not None and (in_place or arguments.annotate):
        raise ProblemError(
            "--template makes another report of the data; it goes with -o or standard output only"
        )
    if arguments.write and STANDARD_INPUT in arguments.paths:
        raise ProblemError("standard input cannot be written in place")


def _render(paths: Sequence[str], arguments: argparse.Namespace) -> Iterator[Rendered]:
    minimal = arguments.minimal
    if minimal is None:
        # A change in place is read by people; what --check finds is what -w would change.
        minimal = arguments.write or arguments.check
    plan = RenderPlan(
        Rendering(minimal, arguments.recompute, arguments.annotate),
        arguments.template,
        arguments.settings.reading(arguments.stdin_filename),
    )
    jobs = 1 if STANDARD_INPUT in paths else arguments.jobs or default_jobs()
    reports = map_files(partial(render_file, plan=plan), paths, jobs=jobs)
    return show_progress(reports, len(paths), "rendering")


def _write(
    reports: Iterable[Rendered],
    paths: Sequence[str],
    arguments: argparse.Namespace,
    complain: Complaints,
) -> int:
    """Write each report where it is wanted; how many of them changed."""
    if arguments.write:
        return sum(_replace(report, complain) for report in _readable(reports, complain))
    if arguments.output is not None:
        targets = name_targets(paths, arguments.output, arguments.stdin_filename)
        for report in _readable(reports, complain):
            _write_file(targets[report.path], report)
        return 0
    changed = 0
    with open_output(None) as sink:
        for report in _readable(reports, complain):
            changed += report.old != report.new
            if not arguments.check:
                sink.write(_show(report.new) if on_terminal(None) else report.new)
            elif report.old != report.new:
                sink.write(f"would change: {printable(report.name)}\n".encode())
    return changed


def _show(content: bytes) -> bytes:
    return show_lines(content.decode("utf-8", "replace")).encode()


def _readable(reports: Iterable[Rendered], complain: Complaints) -> Iterator[Rendered]:
    for report in reports:
        if report.error:
            complain(f"{report.name}: {report.error}")
        else:
            yield report


def _replace(report: Rendered, complain: Complaints) -> bool:
    if report.old == report.new:
        return False
    try:
        replace_file(report.path, report.old, report.new)
    except ProblemError as problem:
        complain(str(problem))
        return False
    return True


def _write_file(target: str, report: Rendered) -> None:
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
    except OSError as error:
        raise ProblemError(f"{target}: cannot be written: {error.strerror or error}") from error
    with open_output(target) as sink:
        sink.write(report.new)


def _write_site(paths: Sequence[str], arguments: argparse.Namespace, complain: Complaints) -> int:
    from mdbench.rendering.site import write_site  # noqa: PLC0415 - charts are costly to load

    write_site(
        paths,
        arguments.output,
        complain=complain,
        reading=arguments.settings.reading(arguments.stdin_filename),
        jobs=arguments.jobs,
    )
    return complain.exit_code
