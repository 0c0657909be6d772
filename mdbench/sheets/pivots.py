"""Headers that state a setting: each of its values is a run of its own (`bs=1`, `bs=4`; `512`)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdbench.numerals.cell import Form
from mdbench.regex import lazy
from mdbench.sheets.column_cells import Cells
from mdbench.vocabulary.headers import Header, read_header
from mdbench.vocabulary.quantities import Quantity, Role, Vocabulary, quantity

Settings = tuple[tuple[str, str], ...]

_BARE = lazy(r"\d[\d,.]{0,15} ?[KkMmBb]?")
_NAMED = lazy(r"(?P<name>\D{2,60}?)[\s=:#]*(?P<value>\d[\d,.]{0,15}[KkMm]?)")
_CORNER = lazy(r"(?:(?<!\s)\s+)?[\\/|↓→]\s*")
_BRACKET = lazy(r"[(\[].{1,60}[)\]]$")
_PAIR_NAMED = lazy(r"([^()]{2,40}?) ?\(([^()]{2,40})\)")
_PAIRED = lazy(r"(\d{1,9}) ?\((\d{1,9})\)")
_POWER_OF_TEN = lazy(r"10{0,8} ?[MB]")
_LARGE = ("M", "B")
_FEWEST = 2
_ORDINAL = "a value of steps"


class Variant(NamedTuple):
    """The columns of one run among the several that a row holds."""

    settings: Settings
    columns: tuple[int, ...]
    picks: tuple[tuple[int, int], ...] = ()
    """The columns whose cells hold a number for each variant, with which one is its own."""


class Pivot(NamedTuple):
    """How the columns of a table make up its runs. `shared` ones belong to each of them."""

    variants: tuple[Variant, ...]
    shared: tuple[int, ...] = ()


def name_settings(
    headers: Sequence[Header], columns: Sequence[Cells], vocabulary: Vocabulary
) -> tuple[Header, ...]:
    """The headers, with what a bare number or `Sequence Length 512` states as a setting."""
    bare = [at for at, header in enumerate(headers) if _BARE.fullmatch(header.text.strip())]
    named = [_read_named(header, vocabulary) for header in headers]
    steps = [at for at, header in enumerate(named) if header.why == _ORDINAL]
    if [named[at].settings[0][1] for at in steps] == [
        str(place + 1) for place in range(len(steps))
    ]:
        # The first, the second and the third of several, not so many.
        named = [headers[at] if at in steps else header for at, header in enumerate(named)]
    if " \\ " in headers[0].text:
        named[0] = _name_corner(headers[0], vocabulary)
    if len(bare) < _FEWEST:
        return _name_pairs(headers, named, vocabulary)
    corner = bare[0] - 1
    meant = _read_corner(headers[corner].text, columns[corner], vocabulary) if corner >= 0 else None
    for at in bare:
        if meant is None:
            # Numbers of what, nobody says: each is a run of its own.
            stated = ((_sized([headers[one].text for one in bare]), headers[at].text.strip()),)
            named[at] = headers[at]._replace(settings=stated, candidates=())
            continue
        stated = ((meant.name, headers[at].text.strip()),)
        named[at] = headers[at]._replace(settings=stated, why=f"a value of {meant.name}")
    spanned = meant is not None and " " in headers[corner].text and not headers[corner].unit
    if meant is not None and (headers[corner].quantity == meant or spanned):
        named[corner] = _name_corner(headers[corner], vocabulary)
    return tuple(named)


def _sized(texts: Sequence[str]) -> str:
    """What bare numbers are that nobody explains: `390M` and `3B` are models by their size."""
    millions = all(text.strip()[-1:] in _LARGE for text in texts)
    round_ = all(_POWER_OF_TEN.fullmatch(text.strip()) for text in texts)
    return "params" if millions and not round_ else "method"


def _name_pairs(
    headers: Sequence[Header], named: Sequence[Header], vocabulary: Vocabulary
) -> tuple[Header, ...]:
    """The headers, with both settings of `16(8)` beside `batch_size(micro_batch size)`."""
    corner = _PAIR_NAMED.fullmatch(headers[0].text.strip())
    pairs = {
        at: match
        for at, header in enumerate(headers[1:], 1)
        if corner is not None and (match := _PAIRED.fullmatch(header.text.strip())) is not None
    }
    meant = [_numeric_setting(corner[part], vocabulary) for part in (1, 2)] if corner else []
    if len(pairs) < _FEWEST or not all(meant):
        return tuple(named)
    names = [one.name for one in meant if one is not None]
    read = [
        header._replace(
            settings=tuple(zip(names, pairs[at].groups(), strict=True)),
            candidates=(),
            why="values of the corner",
        )
        if at in pairs
        else header
        for at, header in enumerate(named)
    ]
    read[0] = _name_corner(headers[0], vocabulary)._replace(quantity=None)
    return tuple(read)


def _name_corner(corner: Header, vocabulary: Vocabulary) -> Header:
    """The header above the labels of the rows: `method \\ threads` says what both are."""
    label = read_header(rows_named_by(corner.text), vocabulary).quantity
    return corner._replace(
        quantity=label if label is not None and label.text else None,
        unit=None,
        why="says what the headers beside it are",
        as_written=corner.said,
    )


def rows_named_by(corner: str) -> str:
    """What `Accelerator \\ TFLOPS` and `Size (ms)` call the rows; nothing without such a part."""
    above, _, beside = corner.partition(" \\ ")
    return above if beside else _BRACKET.sub("", corner) if _BRACKET.search(corner) else ""


def _read_named(header: Header, vocabulary: Vocabulary) -> Header:
    said = header.said
    if said.quantity is not None or said.candidates or said.settings:
        return header
    match = _NAMED.fullmatch(header.text.strip())
    meant = _numeric_setting(match["name"], vocabulary) if match is not None else None
    if match is None or meant is None:
        return header
    return header._replace(settings=((meant.name, match["value"]),), why=f"a value of {meant.name}")


def _read_corner(text: str, cells: Cells, vocabulary: Vocabulary) -> Quantity | None:
    """What the header left of bare numbers says of them: `rows \\ columns`, or what no row is."""
    parts = list(filter(None, _CORNER.split(text))) or [text]
    meant = _numeric_setting(parts[-1], vocabulary) or _last_words(parts[-1], vocabulary)
    counted = any(cell.form is Form.NUMBER for cell in cells)
    return meant if len(parts) > 1 or not counted else None


def _last_words(text: str, vocabulary: Vocabulary) -> Quantity | None:
    """The setting that the last words name: `method number of threads`."""
    words = text.split()
    tails = (" ".join(words[start:]) for start in range(1, len(words)))
    found = next((one for tail in tails if (one := _numeric_setting(tail, vocabulary))), None)
    # `History length` is a length, of whatever.
    return found or (quantity("seq_len") if words[-1:] in (["length"], ["Length"]) else None)


def _numeric_setting(name: str, vocabulary: Vocabulary) -> Quantity | None:
    header = read_header(name, vocabulary)
    meant = (vocabulary.lookup(name.strip()), header.quantity, *header.candidates)
    found = next(filter(None, meant), None)
    fits = found is not None and found.role is Role.SETTING and not (found.text or found.flag)
    return found if fits else None


def find_pivot(headers: Sequence[Header], numeric: Sequence[bool]) -> Pivot:
    """Group the columns of a table into the runs that each row holds.

    `numeric` says of each column whether it has numbers. What stands left of the first column with
    a setting describes the row; a measurement right of it without one belongs to no variant.
    """
    keyed = [at for at, header in enumerate(headers) if header.settings and _takes_part(header)]
    keys: dict[Quantity | None, set[Settings]] = {}
    for at in keyed:
        keys.setdefault(headers[at].quantity, set()).add(headers[at].settings)
    for header in headers:
        if header.quantity is not None and header.quantity in keys:
            keys[header.quantity].add(header.settings)
    if all(len(stated) < _FEWEST for stated in keys.values()):
        return Pivot((Variant(_common_settings(headers), tuple(range(len(headers)))),))
    known = {headers[at].settings for at in keyed}
    groups: dict[Settings, list[int]] = {}
    shared: list[int] = []
    for at, header in enumerate(headers):
        if header.settings in known:
            groups.setdefault(header.settings, []).append(at)
        elif (header.quantity is not None and header.quantity in keys) or (
            at > keyed[0] and stands_alone(header, numeric[at])
        ):
            groups.setdefault((), []).append(at)
        else:
            shared.append(at)
    return Pivot(
        tuple(Variant(key, tuple(columns)) for key, columns in groups.items()), tuple(shared)
    )


def _takes_part(header: Header) -> bool:
    """Whether a header's settings tell runs apart: those of scores and comparisons do not."""
    one = header.quantity
    return one is None or (one.role not in (Role.SCORE, Role.NOTE) and one.name != "change")


def stands_alone(header: Header, numeric: bool) -> bool:
    """Whether a column is measured, and not a setting that its row shares."""
    if header.quantity is None:
        return numeric
    return header.quantity.role in (Role.MEASUREMENT, Role.SCORE)


def _common_settings(headers: Sequence[Header]) -> Settings:
    """The settings that every measured column states; what only one of them says is its own."""
    measured = [
        header.settings
        for header in headers
        if header.settings or (header.quantity and header.quantity.role is Role.MEASUREMENT)
    ]
    return tuple(_in_all(measured)) if measured else ()


def _in_all(stated: Sequence[Settings]) -> Iterator[tuple[str, str]]:
    rest = [frozenset(settings) for settings in stated[1:]]
    for setting in stated[0]:
        if all(setting in settings for settings in rest):
            yield setting
