"""`mdbench render`: reports written again, clean, or by a template."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

from mdbench.cli.inputs import list_reports, load_configuration
from mdbench.cli.options import (
    AddParser,
    ConfigOptions,
    add_config,
    add_format,
    add_jobs,
    add_paths,
    add_stdin_filename,
    set_run,
)
from mdbench.cli.result_inputs import find_results, names_results
from mdbench.config.nearest import Nearest
from mdbench.config.settings import Settings
from mdbench.files.console import Console
from mdbench.files.discovery import STANDARD_INPUT
from mdbench.files.errors import OK, Errors, ProblemError, printable
from mdbench.files.workers import default_jobs, map_files
from mdbench.files.writing import on_terminal, open_output, replace_file
from mdbench.output.terminal import show_lines
from mdbench.rendering.first_table import FirstTableError, write_first_table
from mdbench.rendering.markdown import Rendering
from mdbench.rendering.rendered_files import (
    PAGES,
    Rendered,
    RenderPlan,
    fill_report,
    name_targets,
    render_file,
)
from mdbench.results.database import ResultsError, open_results
from mdbench.source import Source

_WOULD_CHANGE = 1


class RenderOptions(NamedTuple):
    """The options of `render`."""

    paths: Sequence[str]
    write: bool
    output: str | None
    check: bool
    format: str
    minimal: bool | None
    recompute: bool
    annotate: bool
    template: str | None
    history: bool
    jobs: int | None
    stdin_filename: str
    configuration: ConfigOptions
    console: Console

    @property
    def in_place(self) -> bool:
        """Whether the files are changed, or would be."""
        return self.write or self.check


def add_parser(add: AddParser) -> None:
    """Add the command."""
    parser = add(
        "render",
        summary="rewrite reports with clean formatting",
        description="Rewrite reports with clean formatting. Every number, unit and note is kept.",
        examples=(
            "mdbench render reports/ --check",
            "mdbench render reports/ -w",
            "mdbench render results.md --template report",
            "mdbench render bench/hyperfine.json --template report",
            "mdbench render reports/ --format html -o site/",
        ),
    )
    add_paths(parser)
    group = parser.add_mutually_exclusive_group()
    parser.add_argument(
        "-w", "--write", group=group, action="store_true", help="rewrite the files in place"
    )
    parser.add_argument(
        "-o",
        "--output",
        group=group,
        metavar="FOLDER",
        help="write the files to this folder; a single report can also go to a file: out/x.md",
    )
    parser.add_argument(
        "--check",
        group=group,
        action="store_true",
        help="write nothing; list the files that -w would change, with exit code 1 if any",
    )
    add_format(
        parser,
        ("markdown", "html"),
        "markdown",
        help_text="output format (default: markdown)",
    )
    parser.add_argument(
        "--minimal",
        action=argparse.BooleanOptionalAction,
        help="keep tables that are already clean unchanged (default with -w and --check)",
    )
    parser.add_argument(
        "--recompute", action="store_true", help="fill in missing cells that can be computed"
    )
    parser.add_argument(
        "--annotate", action="store_true", help="add findings as footnotes to their cells"
    )
    parser.add_argument(
        "--template",
        metavar="NAME_OR_FILE",
        help="write another report from the data: report, table, or a template file; "
        "PATH may also be a table of results or a file of results",
    )
    parser.add_argument(
        "--history",
        action="store_true",
        help="with --format html, add a page with the history of each report in git",
    )
    add_jobs(parser)
    add_stdin_filename(parser)
    add_config(parser)
    set_run(parser, RenderOptions, run)


def run(options: RenderOptions) -> int:
    """Write the reports; 1 if `--check` finds one that would change, 2 after an error."""
    settings = load_configuration(options.configuration)
    _check_options(options)
    errors = Errors()
    asked = options.paths
    results = [one for one in asked if options.template and names_results(one, settings)]
    reports = [one for one in asked if one not in results]
    nearest = Nearest(settings)
    found = list_reports(reports, nearest, errors, options.console) if reports or not asked else ()
    paths = sorted(found)
    if options.format == "html" and options.output is not None:
        return _write_site(paths, options.output, options, nearest, errors)
    made = [_render_results(one, options.template or "", settings) for one in results]
    rendered = chain(made, _render(paths, options, nearest) if paths else ())
    changed = _write(rendered, [*(one.path for one in made), *paths], options, errors)
    return errors.exit_code or (_WOULD_CHANGE if options.check and changed else OK)


def _check_options(options: RenderOptions) -> None:
    stem, suffix = os.path.splitext(options.output or "")
    is_page = suffix.lower() in PAGES and not os.path.isdir(options.output or "")
    if is_page and options.format == "html":
        raise ProblemError(f"{options.output}: HTML pages need a folder; use -o {stem}")
    if is_page and options.template is None:
        raise ProblemError(f"{options.output}: for HTML pages, use --format html -o {stem}")
    if options.format == "html":
        if options.output is None:
            raise ProblemError("--format html writes several files; use -o FOLDER")
        if options.template or options.annotate or options.recompute or options.in_place:
            raise ProblemError("--format html can be used only with -o")
    elif options.history:
        raise ProblemError("--history is a page of its own; use it with --format html")
    elif options.template is not None and (options.in_place or options.annotate):
        raise ProblemError(
            "--template writes another report; use it only with -o or standard output"
        )
    if options.write and STANDARD_INPUT in options.paths:
        raise ProblemError("standard input cannot be written in place")


def _render(paths: Sequence[str], options: RenderOptions, nearest: Nearest) -> Iterator[Rendered]:
    minimal = options.minimal
    if minimal is None:
        # A change in place should be small; --check finds what -w would change.
        minimal = options.in_place
    plan = RenderPlan(
        Rendering(minimal, options.recompute, options.annotate),
        options.template,
        nearest.reading(paths, options.stdin_filename),
    )
    jobs = 1 if STANDARD_INPUT in paths else options.jobs or default_jobs()
    reports = map_files(partial(render_file, plan=plan), paths, jobs=jobs)
    return options.console.track(reports, len(paths), "rendering")


def _render_results(given: str, template: str, settings: Settings) -> Rendered:
    """Fill in a template with the first table of some results."""
    files, name = find_results(given, settings)
    vocabulary = settings.reading("").vocabulary
    try:
        with open_results(files, vocabulary, only=(name,)) as database:
            table = write_first_table(database, name, vocabulary, columns=(), by=())
    except (ResultsError, FirstTableError) as error:
        raise ProblemError(str(error)) from error
    # Without its comment: the report that is made is bound to nothing.
    bare = table.partition("\n")[2]
    source = Source(f"{name}.md", f"# {name}\n\n{bare}")
    return Rendered(source.path, name, new=fill_report(source, template, vocabulary))


def _write(
    reports: Iterable[Rendered],
    paths: Sequence[str],
    options: RenderOptions,
    errors: Errors,
) -> int:
    """Write each report to its place; how many of them changed."""
    if options.write:
        before = errors.count
        changed = sum(_replace(report, errors) for report in _readable(reports, errors))
        left = len(paths) - changed - (errors.count - before)
        _tell(f"{_count(changed)} rewritten, {left} unchanged", options)
        return changed
    if options.output is not None:
        targets = name_targets(paths, options.output, options.stdin_filename)
        written = 0
        for report in _readable(reports, errors):
            _write_file(targets[report.path], report)
            written += 1
        _tell(f"{_count(written)} written to {printable(options.output)}", options)
        return 0
    changed = 0
    with open_output(None) as sink:
        for report in _readable(reports, errors):
            changed += report.old != report.new
            if not options.check:
                sink.write(_show(report.new) if on_terminal(None) else report.new)
            elif report.old != report.new:
                sink.write(f"would change: {printable(report.name)}\n".encode())
    return changed


def _tell(line: str, options: RenderOptions) -> None:
    """Say what was written."""
    if not options.console.quiet:
        with open_output(None) as sink:
            sink.write(f"{line}\n".encode())


def _count(files: int) -> str:
    return "1 file" if files == 1 else f"{files} files"


def _show(content: bytes) -> bytes:
    return show_lines(content.decode("utf-8", "replace")).encode()


def _readable(reports: Iterable[Rendered], errors: Errors) -> Iterator[Rendered]:
    for report in reports:
        if report.error:
            errors.report(f"{report.name}: {report.error}")
        else:
            yield report


def _replace(report: Rendered, errors: Errors) -> bool:
    if report.old == report.new:
        return False
    try:
        replace_file(report.path, report.old, report.new)
    except ProblemError as error:
        errors.report(str(error))
        return False
    return True


def _write_file(target: str, report: Rendered) -> None:
    try:
        os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
    except OSError as error:
        raise ProblemError(f"{target}: cannot be written: {error.strerror or error}") from error
    with open_output(target) as sink:
        sink.write(report.new)


def _write_site(
    paths: Sequence[str], folder: str, options: RenderOptions, nearest: Nearest, errors: Errors
) -> int:
    from mdbench.rendering.site import write_site  # noqa: PLC0415 - charts are costly to load

    write_site(
        paths,
        folder,
        report_error=errors.report,
        reading=nearest.reading(paths, options.stdin_filename),
        results=nearest.run.results,
        jobs=options.jobs,
        console=options.console,
        history=options.history,
    )
    _tell(f"{_count(len(paths) - errors.count)} rendered to {printable(folder)}", options)
    return errors.exit_code
