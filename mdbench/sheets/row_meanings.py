"""What rows say of their cells: the metric, the unit or the statistic that they hold."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mdbench.markdown.inline import plain_text
from mdbench.numerals.numeral import Numeral
from mdbench.numerals.units import Unit, parse_unit
from mdbench.regex import lazy
from mdbench.sheets.column_cells import Cells
from mdbench.sheets.layout import Layout, Series
from mdbench.sheets.meaning import settle
from mdbench.sheets.row_labels import read_comparisons, read_labels, yields_to
from mdbench.sheets.statistics import MEASURED, is_open_statistic, name_statistics
from mdbench.vocabulary.amounts import scale
from mdbench.vocabulary.headers import (
    A_STATISTIC,
    BY_CELLS,
    Header,
    decide,
    of_statistic,
    read_header,
)
from mdbench.vocabulary.quantities import Quantity, Role, Vocabulary, quantity
from mdbench.vocabulary.statistics import statistic_of

_ENOUGH = 0.6
_FEWEST_STATISTICS = 2
_PERCENTILES = lazy(r"\W*(?:percentiles?|分位数?|パーセンタイル)\W*", re.IGNORECASE)
_AGGREGATE = lazy(r"(?P<stem>.{1,200})_(?P<word>mean|median|stddev|cv|min|max|BigO|RMS)")
_IN_PER_CENT = frozenset(("cv", "rms"))
_STATISTICS = lazy(r"\W*(?:stat(?:istic)?s?|percentiles?|分位数?|パーセンタイル)\W*", re.IGNORECASE)
_MEDIAN, _HIGH, _ALL = 50, 90, 100
_PERCENTILE = lazy(r"p?(\d{1,3}(?:\.\d{1,6})?) ?(?:%|th)?")


class RowMeanings(NamedTuple):
    """For each run, as far as its row, or the title of its column, says more than the header."""

    metrics: Mapping[int, Header] = {}
    units: Mapping[int, Unit | None] = {}
    statistics: Mapping[int, Header] = {}
    only_statistics: bool = False
    """Whether metrics are those of the columns of statistics and values, and of no other."""
    labels: Mapping[int, Header] = {}
    """Rows that hold something else than the columns that others name."""
    comparisons: Mapping[int, Header] = {}
    """Columns of a transposed table that compare the others."""
    vocabulary: Vocabulary | None = None

    @property
    def say_more(self) -> bool:
        """Whether the rows say anything at all."""
        told = (self.metrics, self.units, self.statistics, self.labels, self.comparisons)
        return any(told)

    def read(self, header: Header, run: int) -> Header:
        """The header that a cell of a column and a run goes by; the column's own if no other."""
        told = self._instead(header, run)
        if told is not None:
            return told._replace(text=header.text, settings=header.settings, as_written=header.said)
        found = header
        if run in self.metrics and self.takes_metric(header):
            found = _merge(self.metrics[run], header)
        if run in self.units and header.unit is None:
            found = self._in_unit(found, self.units[run])
        told = self.statistics.get(run)
        if told is not None and not found.statistic and _is_measured(found):
            found = (
                told._replace(text=found.text)
                if told.quantity is not None
                else (found._replace(statistic=told.statistic))
            )
        if found is header or self.vocabulary is None:
            return header
        return of_statistic(found, self.vocabulary)

    def _instead(self, header: Header, run: int) -> Header | None:
        """What a cell holds that is of another quantity than its column."""
        if run in self.comparisons and not (header.quantity and header.quantity.text):
            return self.comparisons[run]
        told = self.labels.get(run)
        return told if told is not None and yields_to(header, told) else None

    def misfits(self, header: Header, meant: Header, numeral: Numeral) -> bool:
        """Whether the unit of a cell says that it is not what its row measures: `~128 tokens`."""
        one, unit = meant.quantity, parse_unit(numeral.unit) if numeral.unit else None
        if meant is header or not self.metrics or one is None or one.text or unit is None:
            return False
        return unit.dimension not in (*one.dimensions, *one.instead) and _is_value(header)

    def takes_metric(self, header: Header) -> bool:
        """Whether the cells of a column are of the metric that their row names."""
        if not self.only_statistics:
            return is_open(header)
        return is_open_statistic(header.said) or _is_value(header)

    def _in_unit(self, header: Header, unit: Unit | None) -> Header:
        """The header of a cell with the unit that stands in another cell of its row."""
        one = header.quantity
        if one is not None and one.role is not Role.SCORE and one.name != "value":
            known = unit is not None and one.fits(unit) and header.unit is None
            return header._replace(unit=unit) if known and _is_measured(header) else header
        if self.vocabulary is None or (one is None and not header.statistic):
            return header
        bare = header._replace(quantity=None, candidates=(), unit=unit, why="the unit of its row")
        found = self.vocabulary.dimensions.get(unit.dimension, ()) if unit is not None else ()
        return decide(bare, found[:1], self.vocabulary) if found else bare


def _merge(metric: Header, header: Header) -> Header:
    return metric._replace(
        text=header.text,
        settings=header.settings,
        as_written=header.as_written,
        statistic=header.statistic or metric.statistic,
    )


def read_rows(
    series: Sequence[Series],
    headers: Sequence[Header],
    columns: Sequence[Cells],
    vocabulary: Vocabulary,
) -> RowMeanings:
    """What the rows of a table say."""
    rows = RowMeanings(
        units=_units_of_rows(series, headers),
        statistics=_statistics_of_rows(series, headers),
        labels=read_labels(series, headers, columns, vocabulary),
        only_statistics=any(_is_value(one) or is_open_statistic(one.said) for one in headers),
        vocabulary=vocabulary,
    )
    return rows._replace(metrics=_metrics_of_rows(series, headers, columns, rows))


def read_titles(
    layout: Layout,
    series: Sequence[Series],
    columns: Sequence[Cells],
    vocabulary: Vocabulary,
) -> RowMeanings:
    """What the titles above the columns of a transposed table say: `Avg`, `Max`, `Change`."""
    titles = name_statistics([read_header(title, vocabulary) for title in layout.titles])
    told = {
        at: title
        for at, title in enumerate(titles)
        if at and (is_open_statistic(title) or _is_share(title))
    }
    told.update(_percentiles_of(layout.titles))
    compared = read_comparisons(layout, series, columns, vocabulary)
    return RowMeanings(statistics=told, comparisons=compared, vocabulary=vocabulary)


def _percentiles_of(titles: Sequence[str]) -> Mapping[int, Header]:
    """`10 50 99` beside `Stat`: numbers that rise to at most 100, with the median among them."""
    if not titles or _STATISTICS.fullmatch(titles[0]) is None:
        return {}
    read = [_PERCENTILE.fullmatch(title.strip()) for title in titles[1:]]
    numbers = [float(match[1]) for match in read if match is not None]
    rising = len(numbers) == len(read) and numbers == sorted(set(numbers))
    if not rising or _MEDIAN not in numbers or not _HIGH <= numbers[-1] <= _ALL:
        return {}
    return {at: _as_percentile(match) for at, match in enumerate(read, 1) if match is not None}


def _as_percentile(match: re.Match[str]) -> Header:
    number = match[1].rstrip("0").rstrip(".") if "." in match[1] else match[1]
    return Header(match[0], statistic=f"p{number}")


def _is_share(header: Header) -> bool:
    return header.quantity is not None and header.quantity.name == "share"


def is_open(header: Header) -> bool:
    """Whether a header leaves it to others to say what the cells are."""
    if header.quantity is None:
        return not header.candidates
    return header.quantity.name == "value" or is_guess(header)


def is_guess(header: Header) -> bool:
    """Whether nothing but the unit of some cells says what the others are."""
    if header.quantity is None or header.why != BY_CELLS:
        return False
    said = header.said
    return said.quantity is None and not said.candidates and said.unit is None


def _is_value(header: Header) -> bool:
    return header.quantity is not None and header.quantity.name == "value"


def _is_measured(header: Header) -> bool:
    return header.quantity is not None and header.quantity.role in MEASURED


def _metrics_of_rows(
    series: Sequence[Series],
    headers: Sequence[Header],
    columns: Sequence[Cells],
    rows: RowMeanings,
) -> Mapping[int, Header]:
    """Where a column names the metric of each row, the header that its other cells go by."""
    vocabulary = rows.vocabulary
    at = _find_metrics(headers)
    if at is None or vocabulary is None:
        return {}
    paired = "/" in headers[at].text
    texts = {row: plain_text(cell.raw) for row, _, cell in series[at].cells}
    read = {row: _read_metric(text, paired, vocabulary) for row, text in texts.items()}
    known = [header for header in read.values() if _names_metric(header)]
    if not _lists_metrics(headers[at].quantity) and len(known) < _ENOUGH * len(read):
        return {}
    cells: dict[int, list[Numeral]] = {}
    for one, header, numerals in zip(series, headers, columns, strict=True):
        if rows.takes_metric(header):
            for (row, _, _), numeral in zip(one.cells, numerals, strict=True):
                cells.setdefault(row, []).append(numeral)
    beside = (*headers, *known)
    settled = {
        row: _settle_metric(header, Cells(cells.get(row, ())), vocabulary, beside)
        for row, header in read.items()
    }
    return {row: header for row, header in settled.items() if header.quantity or header.candidates}


def _settle_metric(
    header: Header, cells: Cells, vocabulary: Vocabulary, beside: Sequence[Header]
) -> Header:
    """What a row holds; no setting, if its numbers carry units that the setting has not."""
    one = header.quantity
    if one is not None and one.role is Role.SETTING and not one.text:
        united = [cell for cell in cells.numbers if cell.unit]
        if united and not any(scale(cell, one, header.unit) for cell in united):
            header = Header(header.text)
    return settle(header, cells, vocabulary, beside)


def _read_metric(text: str, paired: bool, vocabulary: Vocabulary) -> Header:
    """The metric that a cell names: alone, or behind its task as in `boolq/acc`."""
    header = read_header(text, vocabulary)
    if not paired or header.quantity is not None or header.candidates:
        return header
    return read_header(text.rpartition("/")[2], vocabulary)


def _find_metrics(headers: Sequence[Header]) -> int | None:
    """The column of metrics: it says so, or has no title before columns of statistics."""
    for at, header in enumerate(headers):
        if _lists_metrics(header.quantity):
            return at
    statistics = sum(is_open_statistic(header.said) for header in headers)
    untitled = bool(headers) and not headers[0].text.strip()
    return 0 if untitled and statistics >= _FEWEST_STATISTICS else None


def _lists_metrics(quantity: Quantity | None) -> bool:
    return quantity is not None and quantity.name == "metric"


def _names_metric(header: Header) -> bool:
    one = header.quantity
    return one is not None and one.role is not Role.IDENTITY


def _units_of_rows(
    series: Sequence[Series], headers: Sequence[Header]
) -> Mapping[int, Unit | None]:
    """Where a column has the unit of each row, that unit."""
    for one, header in zip(series, headers, strict=True):
        if header.quantity is not None and header.quantity.name == "unit":
            return {run: parse_unit(plain_text(cell.raw)) for _, run, cell in one.cells}
    return {}


def _statistics_of_rows(
    series: Sequence[Series], headers: Sequence[Header]
) -> Mapping[int, Header]:
    """Where the first column has percentiles or names statistics, the statistic of each row."""
    if not headers:
        return {}
    if _PERCENTILES.fullmatch(headers[0].text) is None:
        names = {run: plain_text(cell.raw) for _, run, cell in series[0].cells}
        words = find_aggregates(names)
        return {run: told for run, word in words.items() if (told := _read_aggregate(word))}
    found: dict[int, Header] = {}
    for _, run, cell in series[0].cells:
        match = _PERCENTILE.fullmatch(plain_text(cell.raw).strip())
        if match is not None:
            found[run] = _as_percentile(match)
    return found


def find_aggregates(names: Mapping[int, str]) -> Mapping[int, str]:
    """The rows that sum up others, with the word that says so: `sort/64_mean` for `sort/64`."""
    ends = {
        run: match
        for run, name in names.items()
        if "_" in name and (match := _AGGREGATE.fullmatch(name))
    }
    if not ends:
        return {}
    others = {name for run, name in names.items() if run not in ends}
    stems = others | {name.rpartition("/")[0] for name in others}
    return {run: match["word"].lower() for run, match in ends.items() if match["stem"] in stems}


def _read_aggregate(word: str) -> Header | None:
    if word in _IN_PER_CENT:
        return Header(word, quantity("variation"), unit=parse_unit("%"), why=A_STATISTIC)
    statistic = statistic_of(word)
    return Header(word, statistic=statistic) if statistic else None
