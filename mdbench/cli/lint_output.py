"""What `mdbench lint` prints: the findings or the diffs, and the summary."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from mdbench.files.writing import on_terminal, open_output
from mdbench.linting.results import FileResult, Totals
from mdbench.output import FORMATS, OutputOptions
from mdbench.output.terminal import Palette, choose_palette

if TYPE_CHECKING:
    from mdbench.cli.commands.lint import LintOptions

# Modules are imported where they are needed: many runs find every file in the cache.
# ruff: noqa: PLC0415


def show_findings(
    results: Iterable[FileResult],
    totals: Totals,
    options: LintOptions,
    output: OutputOptions,
    *,
    aside: bool,
) -> None:
    """Write the findings, or the diffs; aside, on standard error, if the output is a report."""
    if aside and options.output is None:
        terminal = sys.stderr is not None and sys.stderr.isatty()
        output = output._replace(palette=choose_palette(options.color, terminal=terminal))
        for text in _write(results, totals, options, output):
            options.console.print(text)
    else:
        palette = choose_palette(options.color, terminal=on_terminal(options.output))
        with open_output(options.output) as sink:
            for text in _write(results, totals, options, output._replace(palette=palette)):
                sink.write(text.encode("utf-8", "backslashreplace"))
    if not _has_summary(options):
        # Programs read the output; the counts are for people.
        for line in _summarize(totals, options):
            options.console.print(f"{line}\n")


def _has_summary(options: LintOptions) -> bool:
    return FORMATS[options.format].has_summary and not options.diff


def _write(
    results: Iterable[FileResult], totals: Totals, options: LintOptions, output: OutputOptions
) -> Iterator[str]:
    if options.diff:
        from mdbench.output.patch import write_patches

        yield from write_patches(results, output.palette, terminal=on_terminal(options.output))
        return
    yield from FORMATS[options.format].write(results, output)
    if _has_summary(options):
        lines = _summarize(totals, options, output.palette)
        yield from (f"{line}\n" for line in lines)


def _summarize(
    totals: Totals, options: LintOptions, palette: Palette | None = None
) -> Iterator[str]:
    """The statistics, and what was found, fixed or can be fixed."""
    from mdbench.output.summary import (
        list_statistics,
        offer_fixes,
        report_fixes,
        report_ignores,
        summarize,
    )

    if options.statistics:
        yield from (*list_statistics(totals), "")
    if options.console.quiet:
        return
    if palette is not None:
        yield summarize(totals, palette)
    if options.add_ignores:
        yield report_ignores(totals, written=not options.diff)
    elif options.fixes:
        yield from report_fixes(totals, written=not options.diff)
    elif palette is not None:
        yield from offer_fixes(totals)
