"""A line for each finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mdbench.linting.results import FileResult
from mdbench.output import OutputOptions
from mdbench.output.terminal import PLAIN, Palette, show_text
from mdbench.rules.findings import Finding
from mdbench.source import Source


def write(results: Iterable[FileResult], options: OutputOptions) -> Iterator[str]:
    """Place, code, severity and message of each finding."""
    palette = options.palette

    def write_file(result: FileResult) -> str:
        return "".join(
            f"{headline(result.source, one, palette)}{_hedge(one)}\n" for one in result.findings
        )

    return options.write_each(results, palette.label("concise"), write_file)


def _hedge(finding: Finding) -> str:
    return f" ({100 * finding.confidence:.0f} % sure)" if finding.is_doubtful else ""


def headline(source: Source, finding: Finding, palette: Palette = PLAIN) -> str:
    """A finding in one line: `path:line:column CODE severity: message`."""
    line, column = source.position(finding.span.start)
    path = palette.strong(show_text(source.path))
    code = palette.severity(f"{finding.code} {finding.severity}", finding.severity)
    return f"{path}:{line}:{column} {code}: {show_text(finding.message)}"
