"""A table as sentences speak of it: its columns by their titles, and its rows by their names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from mdbench.diagnosis.arithmetic.grid import Grid, Line
from mdbench.diagnosis.arithmetic.reading import Grids
from mdbench.diagnosis.claims.columns import IN_BRACKETS, Column
from mdbench.diagnosis.claims.names import read_names
from mdbench.diagnosis.claims.words import (
    GAINED,
    SAVED,
    is_neutral,
    restricting_ideographs,
    stems,
)
from mdbench.diagnosis.numbers import Number, unit_of
from mdbench.diagnosis.thresholds import FEWEST_ROWS
from mdbench.markdown.document import BlockKind
from mdbench.markdown.inline import plain_text
from mdbench.numerals.cell import Form
from mdbench.prose.figures import Figure
from mdbench.prose.keys import Key
from mdbench.prose.sentences import Sentence, words_of
from mdbench.regex import lazy
from mdbench.sheets.report import Report
from mdbench.sheets.sheet import Sheet
from mdbench.vocabulary.statistics import statistic_of

_NOT_MEASURED = lazy(
    r"(?i)\b(?:ideal|theor\w*|target|goal|expected|limit|total|average|mean|geomean|overall|sum|summe|gesamt|"
    r"durchschnitt|mittel\w*|moyenne|media|somme|suma|итого|среднее)\b|[合总總][计計]|平均|小计|小計"
)
_THAN = lazy(
    r"(?:\bthan|\bover|\bvs\.?|\bversus|\bagainst|\b(?:compared|relative) (?:to|with)) (?:the )?$"
)
_RATES = stems("throughput rate bandwidth speed")
_USUAL = {
    "s": stems("time runtime duration latency wall clock"),
    "byte": stems("memory size ram footprint disk space"),
    "usd": stems("cost price bill"),
    "": stems("point points score scores accuracy"),
}
_MOST_ROWS = 200
_SHORTEST_TITLE = 3
_MOST_COMPARED = 4


class Table:
    """A table, read along its columns."""

    def __init__(self, sheet: Sheet, report: Report, grids: Grids) -> None:
        self.sheet = sheet
        self.section = sheet.table.section
        self.start = sheet.table.span.start
        self._report = report
        self._grids = grids

    @cached_property
    def labels(self) -> Mapping[int, str]:
        """What each row is called."""
        if self.sheet.layout.transposed:
            return {run.number: plain_text(run.label) for run in self.sheet.runs}
        found: dict[int, str] = {}
        for column in self.sheet.columns:
            for one in column.others:
                if one.numeral.form is Form.TEXT and one.run not in found:
                    found[one.run] = plain_text(one.cell.raw)
        return found

    @property
    def is_list(self) -> bool:
        """Whether it has a row for each metric, and a column for each of a few runs."""
        return self.sheet.layout.transposed and len(self.sheet.runs) <= _MOST_COMPARED

    @cached_property
    def first_words(self) -> Mapping[str, Sequence[frozenset[str]]]:
        """The words of each label, by the first one."""
        found: dict[str, list[frozenset[str]]] = {}
        metrics = [column.header.text for column in self.sheet.columns] if self.is_list else ()
        for label in dict.fromkeys((*self.labels.values(), *self.names, *metrics)):
            if words := words_of(IN_BRACKETS.sub(" ", label)):
                found.setdefault(words[0], []).append(frozenset(words))
        return found

    @cached_property
    def settings(self) -> frozenset[str]:
        """The words for what its rows may be told apart by: `threads`, `rate`."""
        headers = (column.header for column in self.sheet.columns)
        counts = [one for one in headers if one.quantity is not None and one.quantity.integer]
        counts += [one.header for one in self.sheet.columns[:1] if one.has_numbers]
        return frozenset(word for one in counts for word in words_of(one.text))

    def names_in(self, sentence: Sentence) -> bool:
        """Whether a sentence has all words of a label."""
        begun = self.first_words.keys() & sentence.words
        return any(one <= sentence.words for word in begun for one in self.first_words[word])

    @cached_property
    def _grid(self) -> Grid | None:
        grid = next(iter(self._grids.of(self.sheet)), None)
        return grid if grid is not None and not grid.by_rows else None

    @cached_property
    def rows(self) -> frozenset[int]:
        """The rows that were measured: no totals, averages and goals."""
        lines = self._grid.lines if self._grid is not None else ()
        rows = {row for line in lines for row in (*line.numbers, *line.strays)}
        return frozenset(row for row in rows if is_measured(self.labels.get(row, "")))

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """Its columns of numbers."""
        found = self._grid.lines if self._grid is not None else ()
        lines = (line for line in found if line.place[1] == 0 and not line.is_numbering)
        parts = (part for line in lines for part in _parts(line))
        return tuple(Column.read(part, self.rows) for part in parts)

    @cached_property
    def names(self) -> Mapping[str, int]:
        """Its rows by their names, without those that have none of their own."""
        titles = " ".join(column.header.text for column in self.sheet.columns)
        return read_names(self.labels, self.rows, frozenset(words_of(titles)))

    def name_of(self, number: Number) -> str:
        """What the row of a number is called: by its words, or by its first setting."""
        row = number.source.run
        if label := self.labels.get(row):
            return label
        for line in self._grid.lines if self._grid is not None else ():
            if line.is_setting and row in line.numbers:
                return f"{plain_text(line.title)} {line.numbers[row].source.numeral.text}"
        return f"row {row + 1}"

    @cached_property
    def heading(self) -> frozenset[str]:
        """The words of the heading that it stands below."""
        section = self._report.document.sections[self.section] if self.section >= 0 else None
        return (
            frozenset(words_of(plain_text(section.title))) if section is not None else frozenset()
        )

    @cached_property
    def subjects(self) -> frozenset[str]:
        """The words of what all of its rows are: of its headings, and of its first column."""
        titles = [column.header.text for column in self.sheet.columns[:1]]
        at, sections = self.section, self._report.document.sections
        while at >= 0:
            titles.append(sections[at].title)
            at = sections[at].parent
        titles.append(self._caption())
        return frozenset(word for title in titles for word in words_of(plain_text(title)))

    def _caption(self) -> str:
        """The text right above it."""
        above = ""
        for block in self._report.document.blocks:
            if block.span.start >= self.start:
                break
            if block.section == self.section and block.kind is BlockKind.PARAGRAPH:
                above = " ".join(line.text for line in block.lines)
        return above

    def named(self, sentence: Sentence) -> list[tuple[int, int]]:
        """The rows that a sentence names, with the place of each name in its folded text."""
        text, taken = sentence.folded, [False] * len(sentence.folded)
        found: list[tuple[int, int]] = []
        for name in sorted(self.names, key=len, reverse=True):
            at = text.find(name) if len(name) <= len(text) else -1
            while at >= 0:
                end = at + len(name)
                if not any(taken[at:end]) and _stands_alone(text, at, end):
                    taken[at:end] = [True] * len(name)
                    found.append((self.names[name], at))
                at = text.find(name, end)
        return sorted(found, key=lambda one: one[1])

    def subject(self, sentence: Sentence, *, compared: bool = False) -> frozenset[int] | None:
        """The rows that a sentence speaks of, and those that are `compared` with them.

        None if it speaks of runs that the table does not have.
        """
        text, named = sentence.folded, self.named(sentence)
        named = [one for one in named if compared or not _THAN.search(text, 0, one[1])]
        by_name = {row for row, _ in named}
        if not sentence.keys:
            return frozenset(by_name)
        rows = self._rows_with(sentence.keys)
        found = rows & by_name if by_name else rows
        return frozenset(found) or None

    def rows_told(self, sentence: Sentence) -> frozenset[int]:
        """The rows that a sentence names, or tells by a setting: `at a rate of 16`."""
        if told := self._rows_set(sentence.folded):
            return told
        return self.subject(sentence, compared=True) or frozenset()

    def _rows_set(self, text: str) -> frozenset[int]:
        """The rows with the settings that stand behind the titles of their columns."""
        found: list[set[int]] = []
        for line in self._grid.lines if self._grid is not None else ():
            title = " ".join(IN_BRACKETS.sub(" ", plain_text(line.title).casefold()).split())
            if not line.is_setting or len(title) < _SHORTEST_TITLE or title not in text:
                continue
            told = re.finditer(rf"\b{re.escape(title)}s?(?: of |=| = |: | )(\d+)(?![\w.,]\d)", text)
            values = {float(one[1]) for one in told}
            if values:
                found.append({row for row, one in line.numbers.items() if one.value in values})
        return frozenset(set.intersection(*found)) if found else frozenset()

    def _rows_with(self, keys: Sequence[Key]) -> set[int]:
        """The rows with some settings; of one setting, each value that is named counts."""
        lines = self._grid.lines if self._grid is not None else ()
        rows = set(self.rows)
        for name in {key.quantity for key in keys}:
            values = {key.value for key in keys if key.quantity == name}
            rows &= {
                row
                for line in lines
                if line.header.quantity is not None and line.header.quantity.name == name
                for row, number in line.numbers.items()
                if number.value in values
            }
        return rows

    def columns_for(
        self, figure: Figure, words: frozenset[str], *, chosen: bool = False
    ) -> tuple[Column, ...]:
        """The columns that a number and the words around it may mean: the best named ones.

        Those of counts that somebody chose are among them only if that is said.
        """
        among = [one for one in self.columns if chosen or not one.is_chosen]
        columns = [one for one in among if one.takes(figure)]
        if not columns and figure.unit is None:
            # `Total requests: 49,000`.
            bare = (one for one in among if one.is_bare or one.times)
            columns = [one for one in bare if one.words and one.words <= words]
        return self.best_named(columns, words)

    def best_named(self, columns: list[Column], words: frozenset[str]) -> tuple[Column, ...]:
        """Those of some columns that the words name best."""
        percentiles = {word for word in words if word[0] == "p" and word[1:].isdigit()}
        if percentiles:
            columns = [one for one in columns if _is_of(one, percentiles)]
        titled = [one for one in columns if one.words and one.words <= words]
        if titled:
            most = max(len(one.words) for one in titled)
            return tuple(one for one in titled if len(one.words) == most)
        meant = [one for one in columns if self._is_meant(one, words)]
        return tuple(meant or columns)

    def _is_meant(self, column: Column, words: frozenset[str]) -> bool:
        """Whether a word says what a column holds, though its title has another one."""
        if column.compares:
            kinds = [kind for kind in (GAINED, SAVED) if kind & words]
            return any(kind & column.words for kind in kinds)
        known = column.line.header.quantity
        if known is None:
            return False
        vocabulary = self._report.vocabulary
        return any(
            vocabulary.lookup(word) == known
            for word in words
            if len(word) > 2 or not word.isascii()
        )

    def is_all_meant(self, sentence: Sentence, column: Column, said: Figure) -> bool:
        """Whether a number is said of all rows for certain, and there are enough of them."""
        enough = len(column.numbers) >= FEWEST_ROWS and not column.mixed
        # `49000 requests` may be the number itself.
        keyed = any(key.value != said.value for key in sentence.keys)
        alone = not keyed and not self.named(sentence)
        return enough and alone and not self.restricting(sentence, (column,))

    def restricting(self, sentence: Sentence, columns: tuple[Column, ...]) -> set[str]:
        """The words of a sentence that may say of which rows it speaks."""
        compares = any(one.compares for one in columns)
        told = self.columns if compares else columns
        comparing = {*GAINED, *SAVED} if compares else set()
        known = comparing | {word for column in told for word in column.words} | self.subjects
        known.update(
            word
            for one in columns
            if (meant := one.line.header.quantity) is not None
            for word in words_of(meant.words)
        )
        units = {column.line.header.unit for column in columns}
        known |= {word for unit in units if unit for word in words_of(unit.text)}
        for column in columns:
            known |= _USUAL.get(column.line.dimension, _RATES if column.is_rate else frozenset())
        covered = [(at, at + len(name)) for name, at in _places(self.names, sentence.folded)]
        covered += [(key.start, key.end) for key in sentence.keys]
        text = list(sentence.folded)
        for start, end in covered:
            text[start:end] = " " * (end - start)
        # `Over 3 years` is of no column.
        figures = " ".join(one.noun for one in sentence.figures if self._knows(one))
        known |= set(words_of(figures))
        rest = "".join(text)
        found = {word for word in words_of(rest) if word not in known and not is_neutral(word)}
        return found if rest.isascii() else restricting_ideographs(rest, found, known)

    def _knows(self, figure: Figure) -> bool:
        """Whether a number of a sentence may be one of the table, or compares some."""
        factor = figure.is_times or figure.is_percent or figure.noun in ("point", "points", "pp")
        return factor or any(one.takes(figure) for one in self.columns)


def _places(names: Mapping[str, int], text: str) -> Iterator[tuple[str, int]]:
    for name in names:
        at = text.find(name)
        if at >= 0 and _stands_alone(text, at, at + len(name)):
            yield name, at


def _is_of(column: Column, percentiles: set[str]) -> bool:
    return column.line.header.statistic in percentiles or bool(column.words & percentiles)


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a name is no part of a longer one."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if (before.isalnum() and not _is_ideograph(before)) or (before and before in "-_/."):
        return False
    joined = after in ("-", "_", "/", ".") and text[end + 1 : end + 2].isalnum()
    return not joined and (not after.isalnum() or _is_ideograph(after))


def _is_ideograph(char: str) -> bool:
    """Whether it is of a script without blanks between words, so that no name goes on in it."""
    return char >= "\u3005"


def _parts(line: Line) -> Iterator[Line]:
    """A line, and the numbers in it that are of another kind than most, each kind by itself."""
    yield line
    kinds: dict[str, dict[int, Number]] = {}
    for row, number in line.strays.items():
        unit = unit_of(number.source)
        kinds.setdefault(unit.dimension if unit is not None else "", {})[row] = number
    for dimension, numbers in kinds.items():
        yield line._replace(numbers=numbers, dimension=dimension)


def is_measured(label: str) -> bool:
    """Whether a row of this name is a run, and no total, average or goal."""
    return statistic_of(label) in ("", None) and _NOT_MEASURED.search(label) is None


def read_tables(report: Report, grids: Grids) -> tuple[Table, ...]:
    """The tables of a report that sentences may be about."""
    return tuple(Table(one, report, grids) for one in report.sheets if len(one.runs) <= _MOST_ROWS)
