"""The rows of a report with very long tables, read in parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from mdbench.frames.frame_columns import TidyRow
from mdbench.markdown.long_tables import Part, each_part
from mdbench.sheets.report import Report, read_report
from mdbench.sheets.sheet import Sheet
from mdbench.source import Source
from mdbench.vocabulary.quantities import Vocabulary


def part_rows(
    source: Source,
    parts: Sequence[Part],
    make: Callable[[Report], list[TidyRow]],
    vocabulary: Vocabulary,
) -> Iterator[TidyRow]:
    """The rows that `make` makes of each part: each row of the report once, and prose last."""
    starts = [source.line(part.whole_offset(part.rows.start)) for part in parts]
    prose: list[TidyRow] = []
    done = 0
    for part, start, stop in zip(each_part(parts), starts, [*starts[1:], None], strict=True):
        report = read_report(part.source, vocabulary)
        sheet = next(one for one in report.sheets if one.table.span.end > part.rows.start)
        before, inside = _count_rows(sheet, part)
        done = before if part.first else done
        for row in make(report):
            line = _whole_line(source, part, row["line"])
            if (line < start and part is not parts[0]) or (stop is not None and line >= stop):
                continue
            row["line"] = line
            number = row.get("row")
            if row.get("table") == sheet.number + 1 and isinstance(number, int):
                row["row"] = number - before + done
            if row.get("table") is None:
                prose.append(row)
            else:
                yield row
        done += inside
    yield from prose


def _whole_line(source: Source, part: Part, line: object) -> int:
    start = part.source.line_starts[line - 1] if isinstance(line, int) else 0
    return source.line(part.whole_offset(start))


def _count_rows(sheet: Sheet, part: Part) -> tuple[int, int]:
    """The rows with data before those of the part, and among them."""
    starts = [sheet.table.rows[at].span.start for at in sheet.layout.rows]
    before = sum(start < part.rows.start for start in starts)
    return before, sum(part.rows.start <= start < part.rows.end for start in starts)
