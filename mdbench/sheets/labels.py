"""Columns of words and of scores that their headers do not explain, but their place does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from mdbench.numerals.numeral import Form, Numeral
from mdbench.numerals.units import parse_unit
from mdbench.regex import lazy
from mdbench.sheets.cell_kinds import BY_SIZES, are_sizes, by_variants
from mdbench.sheets.column_cells import Cells
from mdbench.vocabulary.headers import Header, read_header
from mdbench.vocabulary.qualifiers import names_precision, take_settings
from mdbench.vocabulary.quantities import Quantity, Role, Vocabulary, quantity, squash
from mdbench.vocabulary.statistics import statistic_of

_ENOUGH, _SOME = 0.6, 0.2
_WORDY = 5
_LARGEST_SCORE = 100
_PERCENT = parse_unit("%")
_SIGN = lazy(r"\W{0,4}[-+\u2212]\d")
_BETWEEN = lazy(r"[/÷]")
_FIRST_WORD = lazy(r"[\s_(]")
_PAIR = 2
_FEWEST_SCORED = 3
_MOST_METRICS = 32
_INSTANCES = frozenset(("dataset", "model", "device"))
_OWN = frozenset(("ours", "original"))
_PUBLISHED = _OWN | frozenset(("official", "reported", "published", "paper", "reproduced"))
_RESULTS = (Role.MEASUREMENT, Role.SCORE)


def name_labels(
    headers: Sequence[Header], columns: Sequence[Cells], vocabulary: Vocabulary
) -> tuple[Header, ...]:
    """The headers, with what the place of a column says of it.

    A first column of words names the rows. Sentences are notes. Bare numbers up to 100 between the
    scores of benchmarks are scores.
    """
    headers = _name_instances(headers)
    scored = sum(map(_is_benchmark, headers))
    metrics = [at for at, header in enumerate(headers) if _is_metric(header)]
    seeds = sum(any(name == "seed" for name, _ in header.settings) for header in headers)
    if not metrics and headers:
        listed = find_metrics(headers, columns, vocabulary)
        metrics = [listed or 0] if listed is not None or seeds > 1 else []
    # Where one column names what the rows measure, and none is called a value, all others are.
    told = any(_is_value(header) or header.statistic for header in headers)
    only = metrics in ([0], [1]) and not told
    compared = "benchmark"
    if _are_results(headers, columns):
        # The rows are the benchmarks.
        scored, compared = max(scored, 1), "model"
    named: list[Header] = []
    for at, (header, cells) in enumerate(zip(headers, columns, strict=True)):
        if metrics == [at] and not (_is_metric(header) or header.quantity):
            why = "its cells name what is measured"
            named.append(header._replace(quantity=quantity("metric"), why=why))
        elif header.quantity is not None or header.candidates:
            named.append(header)
        elif (
            at not in metrics
            and (cells.numbers or not cells.filled)
            and ((only and at > metrics[0]) or (metrics and _is_of_a_metric(header)))
        ):
            why = "another column names what it measures"
            named.append(header._replace(quantity=quantity("value"), why=why))
        elif header.statistic and cells.numbers:
            named.append(_as_mean(header, cells, named))
        elif _is_ratio_of(header.text, headers):
            why = "a ratio of two columns beside it"
            named.append(header._replace(quantity=quantity("relative"), unit=None, why=why))
        elif not at and not header.text and are_sizes(cells):
            named.append(header._replace(quantity=quantity("params"), why=BY_SIZES))
        elif 0 < at < len(headers) - 1 and _is_between(headers[at - 1], header, headers[at + 1]):
            named.append(_as_benchmark(header, "benchmark"))
        else:
            named.append(_name(header, cells, at == 0, compared if scored else "", vocabulary))
    named = _name_pairs([_without_statistic(one) for one in named])
    if compared == "model" and named[0].quantity == quantity("method"):
        named[0] = named[0]._replace(quantity=quantity("benchmark"), why="the models have columns")
    return tuple(named)


def _name_pairs(headers: list[Header]) -> list[Header]:
    """The headers; `GPU` beside `H100` is the first of the pairs that the rows below are too."""
    if len(headers) != _PAIR or headers[0].quantity is None:
        return headers
    key, value = headers
    kinds = {name for name, _ in value.settings}
    if value.quantity is not None or headers[0].quantity.name not in kinds:
        return headers
    why = "its header is the first of the pairs"
    return [key._replace(quantity=quantity("name"), why=why), value._replace(why=why)]


def _name_instances(headers: Sequence[Header]) -> Sequence[Header]:
    """Beside the metrics, `Fire data` and `Census data` each have the results of one of them."""
    if not any(map(_is_metric, headers)):
        return headers
    kinds = Counter(_kind_named(header) for header in headers)
    return [
        Header(
            header.text,
            settings=((kind[0], header.text),),
            why="one of several beside the metrics",
            as_written=header.as_written,
        )
        if (kind := _kind_named(header)) is not None and kinds[kind] > 1
        else header
        for header in headers
    ]


def _kind_named(header: Header) -> tuple[str, str] | None:
    """What a name of several words says that it is the name of: the quantity, and its word."""
    said, words = header.said, header.text.split()
    one = said.quantity
    if one is None or one.name not in _INSTANCES or said.why != "words" or len(words) < _PAIR:
        return None
    if header.quantity not in (None, one):
        return None
    return one.name, squash(words[-1])


def qualify_published(headers: Sequence[Header]) -> tuple[Header, ...]:
    """The headers, with the name on the left for those that only say whose number of it it is.

    `Official` and `Ours` that stand behind several names are no names themselves.
    """
    words = [squash(header.text) for header in headers]
    if _PUBLISHED.isdisjoint(words):
        return tuple(headers)
    counts = Counter(words)
    named = list(headers)
    for at, header in enumerate(headers[1:], 1):
        word, left = words[at], named[at - 1]
        if word not in _PUBLISHED or not left.settings or left.quantity != header.quantity:
            continue
        kinds = [name for name, _ in header.settings]
        repeated = counts[word] > 1 and counts[squash(left.text)] == 1
        alike = kinds == [name for name, _ in left.settings]
        if alike and (repeated or (kinds == ["model"] and word not in _OWN)):
            named[at] = header._replace(settings=left.settings)
    return tuple(named)


def _are_results(headers: Sequence[Header], columns: Sequence[Cells]) -> bool:
    """Whether columns without a known name hold shares of 1, and a row has their average."""
    if not any(statistic_of(cell.text) == "mean" for cell in columns[0]):
        return False
    unknown = [
        cells
        for header, cells in zip(headers[1:], columns[1:], strict=True)
        if not header.understood and cells.numbers
    ]
    values = [value for cells in unknown for value in cells.values]
    return len(unknown) >= _FEWEST_SCORED and all(0 <= value <= 1 for value in values)


def _is_value(header: Header) -> bool:
    return header.quantity is not None and header.quantity.name == "value"


def _is_of_a_metric(header: Header) -> bool:
    """Whether a header only says of which run, or which statistic, the values are."""
    return bool(header.settings) or bool(header.statistic)


def find_metrics(
    headers: Sequence[Header], columns: Sequence[Cells], vocabulary: Vocabulary
) -> int | None:
    """The column of labels that lists quantities: the first or the second."""
    labels = zip(headers[:_PAIR], columns[:_PAIR], strict=False)
    measured = frozenset(read_header(header.text, vocabulary).quantity for header in headers)
    listed = (at for at, one in enumerate(labels) if _names_metrics(*one, measured, vocabulary))
    return next(listed, None)


def _names_metrics(
    header: Header,
    cells: Cells,
    measured: frozenset[Quantity | None],
    vocabulary: Vocabulary,
) -> bool:
    """Whether a first column without a known name lists quantities: `Final loss`, `F1`.

    Where headers name these quantities, the rows are something else: `Gen 0` of collections.
    """
    words = cells.words[:_MOST_METRICS]
    if header.quantity is not None or header.candidates or not words:
        return False
    if any(text[:1].isdigit() for text in words):
        # `1658 samples/sec, no overlap` is a result.
        return False
    known: list[Quantity] = []
    for at, text in enumerate(words):
        if len(known) + len(words) - at < _ENOUGH * len(words):
            # Most first columns have names of runs.
            return False
        one = read_header(text, vocabulary).quantity
        if one is not None and one.role in _RESULTS:
            known.append(one)
    return len(known) >= _ENOUGH * len(words) and not measured.issuperset(known)


def _is_metric(header: Header) -> bool:
    return header.quantity is not None and header.quantity.name == "metric"


def _is_ratio_of(text: str, headers: Sequence[Header]) -> bool:
    """Whether a header names two others: `CPU/GPU` beside `CPU (ms)` and `GPU (ms)`."""
    parts = [squash(part) for part in _BETWEEN.split(text)]
    if not len(parts) == len(set(parts)) == _PAIR:
        return False
    names = {squash(header.text.partition("(")[0]) for header in headers if header.text}
    names |= {squash(_FIRST_WORD.split(header.text.strip(), maxsplit=1)[0]) for header in headers}
    return names.issuperset(parts)


def _name(
    header: Header, cells: Cells, first: bool, compared: str, vocabulary: Vocabulary
) -> Header:
    """`compared` is what the headers of scores name, if the table has any."""
    filled = cells.filled
    words = [cell for cell in filled if cell.form is Form.TEXT]
    if first and header.text and _SOME * len(filled) <= len(words) < _ENOUGH * len(filled):
        # `9 hrs/day` beside `Stopped` names a row too.
        return header._replace(quantity=quantity("name"), why="the first column names the rows")
    if filled and len(words) >= _ENOUGH * len(filled):
        if first:
            return _name_first(header, cells, vocabulary)
        if sum(len(cell.text.split()) for cell in words) >= _WORDY * len(words):
            return header._replace(quantity=quantity("notes"), why="its cells are sentences")
    fractional = any(cell.has_fraction for cell in filled)
    if compared and header.text and fractional and all(map(_may_be_score, filled)):
        return _as_benchmark(header, compared)
    named = header.text and not header.settings and "percentile" not in header.text.casefold()
    if named and filled and all(map(_is_share, filled)):
        return header._replace(quantity=quantity("share"), unit=_PERCENT, why="its cells are in %")
    return header


def _as_benchmark(header: Header, compared: str) -> Header:
    settings = header.settings or ((compared, header.text),)
    why = "a benchmark, as those beside it"
    return header._replace(quantity=quantity("score"), settings=settings, why=why)


def _is_between(left: Header, header: Header, right: Header) -> bool:
    """Whether a name in capitals stands between two benchmarks: not all scores are below 100."""
    named = header.text.strip()
    bare = named.isalnum() and named.isupper() and len(named) > _PAIR
    return bare and not header.understood and _is_benchmark(left) and _is_benchmark(right)


def _as_mean(header: Header, cells: Cells, before: Sequence[Header]) -> Header:
    """A bare `Avg` right behind the scores of benchmarks is their mean."""
    if header.statistic != "mean" or not before or statistic_of(header.text.strip()) != "mean":
        return header
    filled = cells.filled
    if not _is_benchmark(before[-1]) or not all(map(_may_be_score, filled)):
        return header
    return header._replace(quantity=quantity("score"), why=f"as {before[-1].text!r} beside it")


def _without_statistic(header: Header) -> Header:
    """The header; names and remarks have no maximum."""
    worded = header.quantity is not None and header.quantity.text and header.statistic
    return header._replace(statistic="") if worded else header


def _is_share(cell: Numeral) -> bool:
    """Whether a cell is a part of a whole, in per cent: not `+5%`."""
    if cell.form is not Form.NUMBER or cell.unit != "%" or cell.value is None:
        return False
    return 0 <= cell.value <= _LARGEST_SCORE and not _SIGN.match(cell.text)


def _name_first(header: Header, cells: Cells, vocabulary: Vocabulary) -> Header:
    """A first column of words: models, the variants of the one that the header names, or names."""
    if any(name == "model" for name, _ in header.settings):
        return by_variants(header, cells)
    words = cells.words[:_MOST_METRICS]
    if not header.text and sum(_is_model(text, vocabulary) for text in words) > len(words) / 2:
        return header._replace(quantity=quantity("model"), why="its cells name a model")
    if not header.text and all(map(names_precision, words)):
        return header._replace(quantity=quantity("precision"), why="its cells name a precision")
    return header._replace(quantity=quantity("name"), why="the first column names the rows")


def _is_model(text: str, vocabulary: Vocabulary) -> bool:
    rest, settings = take_settings(text.partition(":")[0], vocabulary)
    return not rest and any(name == "model" for name, _ in settings)


def _is_benchmark(header: Header) -> bool:
    one = header.quantity
    named = any(name == "benchmark" for name, _ in header.settings)
    return one is not None and one.role is Role.SCORE and named


def _may_be_score(cell: Numeral) -> bool:
    if cell.form not in (Form.NUMBER, Form.NOTHING) or cell.unit not in ("", "%"):
        return False
    return cell.value is None or 0 <= cell.value <= _LARGEST_SCORE
