"""How a table is laid out: which rows are headers, separators or data, and which way it runs."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mdbench.markdown.document import Cell, Row, Table
from mdbench.markdown.footnotes import drop_findings
from mdbench.markdown.inline import plain_text
from mdbench.numerals.cell import Form, Status, read_cell
from mdbench.numerals.units import parse_unit
from mdbench.regex import lazy
from mdbench.vocabulary.amounts import scale
from mdbench.vocabulary.headers import Header, read_header
from mdbench.vocabulary.quantities import Quantity, Role, Vocabulary
from mdbench.vocabulary.statistics import statistic_of

_RULE = "\\|:=_*.─━—-"
_EMPHASIS = lazy(r"\s*(?:\*{1,3}|_{1,3}|<(?:b|i|em|strong)>)\S")
_PICTURE = lazy(r"\s*(?:!\[|<img\b)")
_LABELS = frozenset((Role.IDENTITY, Role.NOTE))
_ENOUGH = 0.6
_NEARLY_ALL = 0.8
_FEWEST_METRICS = 2
_LISTING = frozenset(("configuration", "params", "name"))
_MOST_HEADER_LINES = 3
_FEWEST_SPREAD = 3
# The cells of a long row or column say early enough what it holds.
_SAMPLE = 64


class Layout(NamedTuple):
    """What is what in a table. `titles` are the headers, with the body lines that extend them."""

    titles: tuple[str, ...]
    rows: tuple[int, ...]
    """The body rows that hold data, counted from 0."""
    asides: tuple[int, ...]
    """The body rows that hold words but no data: further header lines, and titles of groups."""
    transposed: bool


class Series(NamedTuple):
    """The cells under one header: a column, or a row of a transposed table."""

    table: int
    place: int
    """Its place among the series of its table."""
    title: str
    heading: Cell | None
    """The cell that names it; none above surplus cells."""
    cells: tuple[tuple[int, int, Cell], ...]
    """Each cell with its row, and the number of its run: its column if transposed."""


def lay_out(table: Table, vocabulary: Vocabulary, above: str = "") -> Layout:
    """Decide how a table is to be read. `above` is the text that stands right above it."""
    titles = _below_line(tuple(_plain(title) for title in table.titles), above, vocabulary)
    filled = [at for at, row in enumerate(table.rows) if not is_separator(row.cells)]
    rows = filled
    if (spread := _spread_title(table, titles, rows, vocabulary)) is not None:
        titles, rows = spread, rows[1:]
    for _ in range(_MOST_HEADER_LINES):
        if not _extends_header(table, titles, rows, vocabulary):
            break
        titles = _extend(titles, table.rows[rows[0]])
        rows = rows[1:]
    header = tuple(_plain(cell.raw) for cell in table.header.cells)
    headings = dict.fromkeys((titles, header))
    rows = [
        at
        for at in rows
        if not _is_group_title(table.rows[at]) and not _repeats(table.rows[at], headings)
    ]
    kept = frozenset(rows)
    asides = tuple(at for at in filled if at not in kept)
    transposed = _below_pictures(table, rows, vocabulary)
    if transposed is None:
        transposed = _is_transposed(table, titles, rows, vocabulary)
    return Layout(titles, tuple(rows), asides, transposed)


def _below_line(titles: tuple[str, ...], above: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The titles with those of a first header line, which is no part of the table for Markdown."""
    if not above.startswith("|") or above.count("|") != len(titles) + 1:
        return titles
    joined = tuple(
        f"{_plain(text)} {title}".strip()
        for text, title in zip(above.strip("| ").split("|"), titles, strict=False)
    )
    known = sum(bool(vocabulary.find(text)) for text in joined)
    return joined if len(joined) == len(titles) and 2 * known > len(titles) else titles


def series_of(table: Table, layout: Layout) -> tuple[Series, ...]:
    """The table's series, surplus cells included under an empty title."""
    if not layout.transposed:
        header = table.header.cells
        rows = [(at, table.rows[at].cells) for at in layout.rows]
        width = max((len(cells) for _, cells in rows), default=0)
        return tuple(
            Series(
                table.number,
                index,
                layout.titles[index] if index < len(layout.titles) else "",
                header[index] if index < len(header) else None,
                tuple((at, at, cells[index]) for at, cells in rows if index < len(cells)),
            )
            for index in range(max(width, len(layout.titles)))
        )
    filled = ((at, cells) for at in layout.rows if (cells := table.rows[at].cells))
    return tuple(
        Series(
            table.number,
            index,
            table.labels[at] if table.labels else _plain(cells[0].raw),
            cells[0],
            tuple((at, number, cell) for number, cell in enumerate(cells) if number),
        )
        for index, (at, cells) in enumerate(filled)
    )


def is_separator(cells: Sequence[Cell]) -> bool:
    """Whether a row holds nothing: blank, or a line drawn with dashes over the whole width."""
    texts: list[str] = []
    for cell in cells:
        if cell.raw[:1].isalnum():
            return False
        texts.append(_plain(cell.raw))
        if "".join(texts[-1].split()).strip(_RULE):
            return False
    # One dash is a missing value; a drawn line has several, or dashes in every cell.
    return not any(texts) or any(len(text) > 2 for text in texts)


def _plain(raw: str) -> str:
    return plain_text(drop_findings(raw) if "[^" in raw else raw)


def _texts(row: Row) -> tuple[str, ...]:
    return tuple(_plain(cell.raw) for cell in row.cells)


def _repeats(row: Row, headings: Iterable[tuple[str, ...]]) -> bool:
    """Whether a row has the same words as a header."""
    first = _plain(row.cells[0].raw) if row.cells else ""
    return any(one and one[0] == first and one == _texts(row) for one in headings)


def _is_group_title(row: Row) -> bool:
    """A row with nothing but one emphasised cell is the title of the rows below it."""
    cells = row.cells
    if len(cells) <= 2 or cells[1].raw or _EMPHASIS.match(cells[0].raw) is None:
        return False
    return all(not cell.raw for cell in cells[1:]) and not _is_number(cells[0].raw)


def _extend(titles: Sequence[str], row: Row) -> tuple[str, ...]:
    """The titles with the words of a further header line; a cell over both lines counts once.

    A title above several columns stands in the first of them, and counts for all.
    """
    extended: list[str] = []
    above = ""
    for title, text in zip(titles, _texts(row), strict=False):
        above = title or above
        spanned = above if not title and _is_part(text) else title
        repeated = text == spanned or spanned.endswith(f" {text}")
        extended.append(spanned if repeated else f"{spanned} {text}".strip())
    return tuple(extended)


def _spread_title(
    table: Table, titles: Sequence[str], rows: Sequence[int], vocabulary: Vocabulary
) -> tuple[str, ...] | None:
    """The titles where a lone one says what the numbers below it are: `Nodes` above `8 16 32`."""
    filled = [title for title in titles if title]
    if len(filled) != 1 or len(titles) <= _FEWEST_SPREAD or len(rows) < 2:
        return None
    first = _texts(table.rows[rows[0]])
    counts = [text for text in first if text]
    whole = len(counts) >= _FEWEST_SPREAD and all(map(str.isdigit, counts))
    meant = read_header(filled[0], vocabulary).quantity
    if not whole or first[0] or meant is None or meant.role is not Role.SETTING:
        return None
    return tuple(f"{filled[0]} {text}" if text else "" for text in first)


def _is_part(text: str) -> bool:
    """Whether a cell of a second header line only says which part of a quantity it is."""
    bare = text.strip("()[] ")
    return bool(statistic_of(bare)) or parse_unit(bare) is not None or bare.startswith("/")


def _extends_header(
    table: Table, titles: Sequence[str], rows: Sequence[int], vocabulary: Vocabulary
) -> bool:
    """A first body row of words and units, above columns of numbers, extends the header."""
    if len(rows) < 2:
        return False
    first = _texts(table.rows[rows[0]])
    below = [table.rows[at].cells for at in rows[1 : 1 + _SAMPLE]]
    if any(
        _is_number(text) and (not statistic_of(text) or _goes_on(text, index, below))
        for index, text in enumerate(first)
    ):
        return False
    numeric = [
        index
        for index in range(min(len(first), len(titles)))
        if _mostly_numbers([cells[index].raw for cells in below if index < len(cells)])
    ]
    extended = [index for index in numeric if first[index]]
    telling = sum(_tells_more(titles[index], first[index], vocabulary) for index in extended)
    if extended and telling >= _ENOUGH * len(extended):
        return True
    if _is_bold_header(table.rows[rows[0]], numeric):
        return True
    counted = frozenset(numeric)
    labels = [text for index, text in enumerate(first) if index not in counted]
    worded = len(numeric) > 1 and all(_is_word(first[index]) for index in numeric)
    return (
        worded
        and bool(labels)
        and (not labels[0] or bool(read_header(labels[0], vocabulary).quantity))
    )


def _goes_on(text: str, index: int, below: Sequence[Sequence[Cell]]) -> bool:
    """Whether `99.9%` is no percentile, since the column goes on in per cent."""
    under = [cells[index].raw for cells in below if index < len(cells)]
    return text.endswith("%") and any(raw.rstrip("*_ ").endswith("%") for raw in under)


def _is_bold_header(row: Row, numeric: Sequence[int]) -> bool:
    """Whether a row has bold words, and nothing else, above nearly all columns of numbers."""
    filled = [cell.raw for cell in row.cells if cell.raw.strip()]
    above = sum(bool(row.cells[at].raw.strip()) for at in numeric)
    return (
        len(numeric) > 1
        and above >= _NEARLY_ALL * len(numeric)
        and all(_EMPHASIS.match(raw) and _is_word(_plain(raw)) for raw in filled)
    )


def _tells_more(title: str, text: str, vocabulary: Vocabulary) -> bool:
    """Whether a cell says of the column below it what its title leaves open."""
    if read_cell(text)[0].status in (Status.OOM, Status.FAILED):
        return False
    words = title and any(character.isalpha() for character in text)
    if _is_part(text) or (words and vocabulary.find(f"{title} {text}")):
        # `Hidden` above `size`, `Lay-` above `ers`.
        return True
    header = read_header(text, vocabulary)
    if header.settings and header.quantity is None:
        return True
    return not title and header.quantity is not None


def _is_transposed(
    table: Table, titles: Sequence[str], rows: Sequence[int], vocabulary: Vocabulary
) -> bool:
    """Each row a metric: its first cells name quantities, and the headers beside them do not."""
    if table.labels:
        return True
    if len(titles) < 2 or len(rows) < _FEWEST_METRICS:
        return False
    corner = read_header(titles[0], vocabulary).quantity
    listed = corner is not None and (
        corner.name == "metric" or _lists_values(corner, titles[1:], vocabulary)
    )
    if not listed and any(_names_quantity(read_header(title, vocabulary)) for title in titles[1:]):
        return False
    down = _sample(table, rows)
    needed = (0.5 if listed else _ENOUGH) * len(down)
    named = _name_rows(down, needed, vocabulary, labels=listed)
    different = {header.quantity or header.candidates for header, _ in named}
    if len(different) < _FEWEST_METRICS or len(named) < needed:
        return False
    if not listed and not any(_is_number(cell.raw) for _, cells in named for cell in cells):
        # Sentences beside the names of quantities measure nothing.
        return False
    return sum(_can_hold(header, cells) for header, cells in named) >= _ENOUGH * len(named)


def _name_rows(
    sample: Sequence[Sequence[Cell]], needed: float, vocabulary: Vocabulary, *, labels: bool
) -> list[tuple[Header, Sequence[Cell]]]:
    """The rows whose first cells name quantities, each without that; fewer if too few of them do.

    Most tables have the names of runs there, and the first ones are enough to see that.
    """
    named: list[tuple[Header, Sequence[Cell]]] = []
    for at, cells in enumerate(sample):
        if len(named) + len(sample) - at < needed:
            break
        header = read_header(_plain(cells[0].raw), vocabulary)
        if _names_quantity(header, labels=labels):
            named.append((header, cells[1:]))
    return named


def _below_pictures(table: Table, rows: Sequence[int], vocabulary: Vocabulary) -> bool | None:
    """Whether numbers stand below a picture of each run, beside the names of quantities.

    None if the table has no row of pictures.
    """
    sample = _sample(table, rows)
    rest = [cells for cells in sample if not _are_pictures(cells[1:])]
    if len(rest) == len(sample):
        return None
    return bool(rest) and all(
        _names_quantity(read_header(_plain(cells[0].raw), vocabulary))
        and _mostly_numbers([cell.raw for cell in cells[1:]])
        for cells in rest
    )


def _are_pictures(cells: Sequence[Cell]) -> bool:
    pictures = 0
    for cell in cells:
        if _PICTURE.match(cell.raw):
            pictures += 1
        elif cell.raw.strip():
            return False
    return pictures > 1


def _lists_values(corner: Quantity, titles: Sequence[str], vocabulary: Vocabulary) -> bool:
    """`Parameter | Value`: a list of settings."""
    meant = [read_header(title, vocabulary).quantity for title in titles]
    values = [one for one in meant if one is not None and one.name == "value"]
    return corner.name in _LISTING and len(values) == len(titles)


def _sample(table: Table, rows: Sequence[int]) -> list[tuple[Cell, ...]]:
    return [table.rows[at].cells for at in rows[:_SAMPLE]]


def _names_quantity(header: Header, *, labels: bool = False) -> bool:
    meant = (header.quantity,) if header.quantity is not None else header.candidates
    return any(labels or one.role not in _LABELS for one in meant)


def _can_hold(header: Header, cells: Sequence[Cell]) -> bool:
    """Whether the numbers of a row can be of the quantity that its first cell names."""
    one = header.quantity
    if one is None or one.text or one.flag:
        return True
    read = [read_cell(cell.raw) for cell in cells[:_SAMPLE]]
    numbers = [numerals for numerals in read if numerals[0].form is Form.NUMBER]
    fitting = [
        numeral
        for numerals in numbers
        for numeral in numerals
        if numeral.value is not None and (not numeral.unit or scale(numeral, one, header.unit))
    ]
    whole = all(number.value == int(number.value or 0) for number in fitting)
    return not numbers or (bool(fitting) and (whole or not one.integer))


def _is_word(text: str) -> bool:
    """Whether a cell has words that stand for no outcome: `5-shot`, but not `OOM` or `n/a`."""
    numeral = read_cell(text)[0]
    return numeral.form is Form.TEXT and numeral.status is Status.OK


def _is_number(text: str) -> bool:
    return any(numeral.form is Form.NUMBER for numeral in read_cell(text))


def _mostly_numbers(texts: Sequence[str]) -> bool:
    filled = [text for text in texts if text.strip()]
    return bool(filled) and sum(map(_is_number, filled)) >= _ENOUGH * len(filled)
