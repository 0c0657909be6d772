"""Each finding with its line, the evidence and how to fix it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mdbench.linting.results import FileResult
from mdbench.output import OutputOptions
from mdbench.output.concise import headline
from mdbench.output.terminal import PLAIN, Palette, show_text, underline
from mdbench.rules.findings import Evidence, Finding
from mdbench.source import Source, Span

_ROOM = 120
_MOST_PLACES = 8


def write(results: Iterable[FileResult], options: OutputOptions) -> Iterator[str]:
    """All details, with an empty line after each finding."""
    palette = options.palette

    def write_file(result: FileResult) -> str:
        shown = ("\n".join(show_finding(result.source, one, palette)) for one in result.findings)
        return "".join(f"{text}\n\n" for text in shown)

    return options.write_each(results, palette.label("full"), write_file)


def show_finding(source: Source, finding: Finding, palette: Palette = PLAIN) -> Iterator[str]:
    """The lines for one finding."""
    yield headline(source, finding, palette)
    pieces = list(_pieces(source, finding.span)) if source.text else []
    gutter = len(str(pieces[-1][0])) if pieces else 1
    if pieces:
        yield palette.faint(" " * gutter + " |")
    for place, (line, span) in enumerate(pieces):
        start = source.line_starts[line - 1]
        room = _ROOM - gutter
        text, marks = underline(source.line_text(line), span.start - start, span.end - start, room)
        if place and line > pieces[place - 1][0] + 1:
            yield palette.faint("." * gutter + " |")
        yield palette.faint(f"{line:>{gutter}} |") + f" {text}".rstrip()
        marked = palette.severity(marks, finding.severity)
        yield palette.faint(" " * gutter + " |") + f" {marked}"
    bullet = " " * gutter + " ="
    for label in _labels(source, finding):
        yield palette.faint(bullet) + f" {show_text(label)}"
    if finding.is_doubtful:
        wrong = f"about {10 - 10 * finding.confidence:.0f} in 10 such findings are false positives"
        yield palette.faint(bullet) + f" {palette.strong('note:')} {wrong}"
    for fix in finding.fixes:
        yield palette.faint(bullet) + f" {palette.strong('help:')} {show_text(fix.title)}"


def _pieces(source: Source, span: Span) -> Iterator[tuple[int, Span]]:
    """The lines to show and the span to mark on each: the first and the last of a long one.

    A span of several lines is a column: only the cell is marked on its first and last line.
    """
    first, last = source.line(span.start), source.line(max(span.start, span.end - 1))
    if first == last:
        yield first, span
        return
    end = source.line_starts[first - 1] + len(source.line_text(first))
    bar = source.text.find("|", span.start, end)
    yield first, _trim(source, Span(span.start, bar if bar >= 0 else end))
    start = source.line_starts[last - 1]
    bar = source.text.rfind("|", start, span.end)
    yield last, _trim(source, Span(bar + 1 if bar >= 0 else start, span.end))


def _trim(source: Source, span: Span) -> Span:
    text = source.cut(span)
    start = span.start + len(text) - len(text.lstrip())
    return Span(start, max(start, span.start + len(text.rstrip())))


def _labels(source: Source, finding: Finding) -> Iterator[str]:
    """The labels of the evidence; places with the same label are joined."""
    home = source.line(finding.span.start)
    places: dict[str, list[int]] = {}
    for one in finding.evidence:
        lines = places.setdefault(one.label, [])
        line = _line(source, one)
        if line is not None and line not in lines:
            lines.append(line)
    for label, lines in places.items():
        elsewhere = sorted(line for line in lines if line != home)
        if not elsewhere:
            yield label
        elif len(elsewhere) == 1:
            yield f"line {elsewhere[0]}: {label}"
        else:
            yield f"lines {_join(elsewhere)}: {label}"


def _line(source: Source, evidence: Evidence) -> int | None:
    return None if evidence.span is None else source.line(evidence.span.start)


def _join(lines: list[int]) -> str:
    shown = [str(line) for line in lines]
    if len(shown) > _MOST_PLACES:
        return f"{', '.join(shown[:_MOST_PLACES])} and {len(shown) - _MOST_PLACES} more"
    return f"{', '.join(shown[:-1])} and {shown[-1]}"
