"""What the cells of a column are, and what that says of its header: words, numbers, dates."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mdbench.numerals.numeral import Form
from mdbench.numerals.units import parse_unit
from mdbench.regex import lazy
from mdbench.sheets.column_cells import Cells
from mdbench.vocabulary.amounts import UNIT_NEEDED
from mdbench.vocabulary.comparisons import COMPARED, COMPARING
from mdbench.vocabulary.headers import Header
from mdbench.vocabulary.qualifiers import names_precision, take_settings
from mdbench.vocabulary.quantities import Quantity, Role, Vocabulary, quantity, squash

BY_SIZES = "its cells are sizes"
"""The reason if cells such as `7B` make the name of a model its size."""

_RESULTS = (Role.MEASUREMENT, Role.SCORE)
_WORDY = 4
_NAMES = ("device", "framework", "model")
_MOST_NAMES = 64
# What whole numbers below another one mean instead.
_SMALLER = {"dataset": ("problem_size", 10**15), "train_tokens": ("total_len", 10**5)}
_AT_MOST_ALL = frozenset(("efficiency", "mfu", "hfu"))
_MOST_PER_CENT = 1000
_NEVER_NUMBERS = frozenset(("method", "benchmark", "backend", "device"))
_WIDTHS = frozenset((8, 16, 32, 64, 128))
_REFERENCES = frozenset("ref refs reference references citation source sources".split())
_WORDS_ONLY = frozenset(("link", "status"))
_SOME_AMOUNT = lazy(
    r"(?<![A-Za-z0-9_])\d|\b(?:low|medium|moderate|high|minimal|small|large|big|huge|fast|slow|good|bad|best|worst|better|"
    r"worse|not|auto|default|unlimited|all|inf|varies|various|excellent|poor|fair|none|zero|same|linear|constant|baseline|perfect|exact|strong|weak)\w{0,3}\b|"
    r"[高低中]|快|慢",
    re.IGNORECASE,
)
_NODES_AND_DEVICES = lazy(r"n(?:ode)?s?\d{1,4}g(?:pu)?s?\d{1,4}|\d{1,4}n\d{1,4}[gc]", re.IGNORECASE)
_PARAMETERS = {"beamsearch": "beam_size", "beam": "beam_size"}
_MOST_BEAMS = 64
_FILES = frozenset(("file", "files", "文件"))
_DATA_FILE = lazy(
    r"`?[\w.-]{1,80}\.(?:txt|csv|tsv|json|jsonl|xml|html|bin|dat|npy|gz|zip|tar|png|jpe?g|bmp|wav|"
    r"mp[34]|pdf|parquet|fasta|fa|mtx|graph)`?",
    re.IGNORECASE,
)
_SCRIPT = lazy(r"`?[\w./-]{1,80}\.(?:py|sh|c|cc|cpp|cu|rs|go|js|ts|java|rb|jl)`?", re.IGNORECASE)
# Files that a run writes.
_WRITTEN = lazy(r"log|result|report|output|summary|config", re.IGNORECASE)
_FLASH = lazy(r"flash|sdpa|eager|xformers|triton|\bFA ?\d", re.IGNORECASE)
_VALUES = frozenset(("value", "values", "parametervalue"))
_WORD = lazy(r"[^\W\d_]{2}")
_SHAPE = lazy(r"\d{1,6}(?: ?[x×*] ?\d{1,6}){1,4}")
# `Nodes x GPUs` says itself what is multiplied.
_SHAPE_NAMED = lazy(r" [x×*] ")
_QUANTIZED = lazy(r"(?:\w{2,8}-)?(?:u?int\d{1,2}|b?fp\d{1,2}|w\d{1,2}a\d{1,2})", re.IGNORECASE)
_FORMATS = frozenset(("precision", "quantization"))
_SEVERAL = 2
# No count is below this, which stands for all of them, or for none.
_LEAST_COUNT = -1
_AMOUNT = lazy(r"\d|^(?:baseline|reference|[-—–\s]*)$", re.IGNORECASE)
_SIGNED = lazy(r"[-+\u2212]\d")
_HOW_MANY = lazy(r"#|\b(?:num|number|no|count|total)\b|数", re.IGNORECASE)


_DIGIT = lazy(r"\d")
_UNIT_BEHIND = lazy(r"\d[ -]?([A-Za-zµμ]{1,12}(?:/[a-z]{1,8})?)")
_MONEY = lazy(r"[$€£¥₽₩] ?\d|\d ?[€£¥₽₩]")


def are_dates(cells: Cells) -> bool:
    """Whether most cells are dates."""
    dated = sum([cell.form is Form.DATE for cell in cells.filled])
    return dated > len(cells.filled) / 2


def by_digits(header: Header, cells: Cells) -> Header:
    """By what the numbers look like: no count has fractions, and `7B` is the size of a model."""
    one = header.quantity
    values = cells.values
    if values and min(values) < _LEAST_COUNT:
        if one is not None and one.integer:
            return header._replace(quantity=None, why="its cells are no counts")
        # `GPU (a/b)` above -37.0 compares two of them.
        candidates = tuple(meant for meant in header.candidates if not meant.integer)
        return header._replace(candidates=candidates)
    if one is None:
        return header
    if one.name in _AT_MOST_ALL and _are_beyond(cells):
        # `Perfect linear scaling (tokens)`: what would be reached.
        return header._replace(quantity=None, why="its cells are no shares")
    if one.if_fractions and cells.has_fractions:
        return header._replace(quantity=quantity(one.if_fractions), why="its cells are fractions")
    return _by_sizes(header, one, cells)


def _by_sizes(header: Header, one: Quantity, cells: Cells) -> Header:
    if one.if_sizes and are_sizes(cells):
        return header._replace(quantity=quantity(one.if_sizes), why=BY_SIZES)
    if one.name in _SMALLER and header.why == "spelling":
        return _by_amounts(header, one, cells)
    return header


def _are_beyond(cells: Cells) -> bool:
    bare = [value for cell, value in zip(cells.numbers, cells.values, strict=True) if not cell.unit]
    return bool(bare) and min(bare) > _MOST_PER_CENT


def _by_amounts(header: Header, one: Quantity, cells: Cells) -> Header:
    """Data by how much it is, and tokens that are too few to train on: those of a request."""
    filled = cells.filled
    meant, least = _SMALLER[one.name]
    if not filled or any(cell.unit or cell.value is None or cell.has_fraction for cell in filled):
        return header
    if any(cell.value is not None and cell.value >= least for cell in filled):
        return header
    return header._replace(quantity=quantity(meant), why="its cells are numbers")


def are_sizes(cells: Cells) -> bool:
    """Whether all cells are sizes of models: `7B`, `350M`."""
    filled = cells.filled
    return bool(filled) and all(
        cell.form is Form.NUMBER and cell.unit.upper() in {"B", "M"} for cell in filled
    )


def by_kind(header: Header, kind: str, cells: Cells) -> Header:
    """What the header means above words, or above numbers."""
    one = header.quantity
    if one is not None and one.name in COMPARING and kind == "words":
        worded = cells.words
        if 2 * sum(_AMOUNT.search(text) is not None for text in worded) > len(worded):
            # `Azure +$17` tells by how much.
            money = sum(_MONEY.search(text) is not None for text in worded)
            meant = "difference" if 2 * money > len(worded) else one.name
            return header._replace(quantity=quantity(meant))
        if not one.if_words and not cells.numbers:
            # `Cost Factor` above names.
            return header._replace(quantity=None, why="its cells are words")
    meant = "" if one is None else {"words": one.if_words, "numbers": one.if_numbers}.get(kind, "")
    if meant == "status" and squash(header.text) in _VALUES:
        # What a parameter is set to.
        meant = "notes"
    compared = header.why == COMPARED
    if not meant or compared or (kind == "words" and _HOW_MANY.search(header.text)):
        return header
    return header._replace(quantity=quantity(meant), why=f"its cells are {kind}")


def by_names(header: Header, cells: Cells, kind: str, vocabulary: Vocabulary) -> Header:
    """What most cells name, where none names what the header says: frameworks under `System`."""
    one = header.quantity
    formats = one is not None and one.name == "configuration" and kind == "words"
    if (one is not None and one.name == "method" and _are_precisions(header, cells)) or (
        formats and _are_formats(cells, vocabulary)
    ):
        return header._replace(quantity=quantity("precision"), why="its cells name a precision")
    if one is None or kind != "words":
        return header
    if one.name == "flash_attention" and not any(map(_FLASH.search, (cell.text for cell in cells))):
        return header._replace(quantity=quantity("method"), why="its cells are words")
    if one.name == "precision" and squash(header.text) == "datatype":
        typed = map(names_precision, cells.words)
        # `size_t` and `bool` are the types of arguments.
        return header if any(typed) else header._replace(quantity=None)
    if one.name == "system_software" and all(map(_SCRIPT.fullmatch, cells.words)):
        # What was run with it.
        return header._replace(quantity=None, why="its cells are files")
    return _by_names(header, one.name, cells, vocabulary) if one.name in _NAMES else header


def _by_names(header: Header, name: str, cells: Cells, vocabulary: Vocabulary) -> Header:
    words = [cell.text for cell in cells if cell.form in (Form.TEXT, Form.COUNT)][:_MOST_NAMES]
    if name == "model" and any(stated == "model" for stated, _ in header.settings):
        return by_variants(header, cells)
    read = [take_settings(text, vocabulary) for text in words]
    named = [{kind for kind, _ in settings} for _, settings in read]
    if any(name in names for names in named):
        return header
    for other in _NAMES:
        if sum(other in names for names in named) > len(words) / 2:
            return header._replace(quantity=quantity(other), why=f"its cells name a {other}")
    if name != "model":
        return header
    # `FP16`, `AWQ`, `GPTQ-R`: how the numbers of a model are stored.
    pairs = zip(read, named, strict=True)
    stored = sum(bool(kinds) and kinds <= _FORMATS and len(rest) < 2 for (rest, _), kinds in pairs)
    if 2 * stored <= len(words):
        return header
    meant = "precision" if all(map(_names_format, words)) else "quantization"
    return header._replace(quantity=quantity(meant), why="its cells name how numbers are stored")


def by_variants(header: Header, cells: Cells) -> Header:
    """What stands below the name of the one model of a table: how its numbers are stored, or how
    it was run.
    """
    meant = "precision" if all(map(_names_format, cells.words)) else "method"
    return header._replace(quantity=quantity(meant), why="variants of the model that it names")


def _are_formats(cells: Cells, vocabulary: Vocabulary) -> bool:
    """Whether the words of a column are number formats and say nothing else."""
    words = cells.words
    return bool(words) and all(
        _names_format(text) and not take_settings(text, vocabulary)[0] for text in words
    )


def _names_format(text: str) -> bool:
    return names_precision(text) or _QUANTIZED.fullmatch(text) is not None


def by_shape(header: Header, cells: Cells) -> Header:
    """`640x480` in all cells, under a header that says nothing else, is a shape."""
    sized = header.quantity == quantity("model") and squash(header.text) == "size"
    if (header.understood and not sized) or not header.text or _SHAPE_NAMED.search(header.text):
        return header
    filled = cells.filled
    if not filled or not all(_SHAPE.fullmatch(cell.text.strip("`* ")) for cell in filled):
        return header
    return header._replace(quantity=quantity("shape"), unit=None, why="its cells are shapes")


def by_parameter(header: Header, cells: Cells) -> Header:
    """The name of a method above small whole numbers is its parameter: how many beams."""
    meant = _PARAMETERS.get(squash(header.text)) if header.quantity is None else None
    if meant is None or not cells.filled:
        return header
    values = [cell.value for cell in cells.filled]
    if any(one is None or not 0 < one <= _MOST_BEAMS or one % 1 for one in values):
        return header
    return Header(header.text, quantity(meant), why="its cells are small whole numbers")


def by_files(header: Header, cells: Cells, siblings: Sequence[Header]) -> Header:
    """Bare names of data files that repeat, or stand beside results, are what was read in a run."""
    one = header.quantity
    if one is None or one.name != "link" or squash(header.text) not in _FILES:
        return header
    names = [cell.text for cell in cells.filled]
    if not names or not all(_DATA_FILE.fullmatch(text) for text in names):
        return header
    if any(map(_WRITTEN.search, names)):
        return header
    beside = [(other.quantity, *other.candidates) for other in siblings]
    measured = any(
        meant is not None and meant.role in _RESULTS for all_ in beside for meant in all_
    )
    if len(set(names)) == len(names) and not measured:
        return header
    return header._replace(quantity=quantity("dataset"), why="its cells are files of data")


def by_counts(header: Header, cells: Cells) -> Header:
    """What counts of nodes and devices are that were taken for the names of devices."""
    if header.quantity is None or header.quantity.name != "device" or not _are_counts(cells):
        return header
    return header._replace(quantity=quantity("configuration"), why="its cells count devices")


def _are_counts(cells: Cells) -> bool:
    """Whether words only say how many nodes and devices there are: `n1g8`, `2n16g`."""
    words = [cell.text for cell in cells if cell.form in (Form.TEXT, Form.COUNT)]
    return bool(words) and all(map(_NODES_AND_DEVICES.fullmatch, words))


def _are_precisions(header: Header, cells: Cells) -> bool:
    """Whether the types in a column are those of numbers: `float`, `half`, `int8`."""
    words = {text.casefold() for text in cells.words}
    values = set(cells.values)
    if values and not words and squash(header.text) == "type":
        # How many bits a number has.
        return values <= _WIDTHS
    typed = squash(header.text) in ("type", "datatype")
    return typed and bool(words) and all(one == "float" or names_precision(one) for one in words)


def unworded(header: Header, cells: Cells, kind: str) -> Header:
    """Numbers under what was taken for words, or the other way round: it means something else."""
    one = header.quantity
    if one is not None and kind == "words":
        return _under_no_amount(header, one, cells)
    if one is None or kind != "numbers" or not one.text:
        return header
    composed = one.role is Role.IDENTITY and header.why == "words"
    # `Plugin` above times is what was measured, not its name.
    bare = not any(cell.unit for cell in cells)
    composed |= one.name in _NEVER_NUMBERS and bare and cells.has_fractions
    # The numbers of a sampling are its k or its p.
    fractional = one.role is Role.SETTING and cells.has_fractions and one.name != "sampling"
    noted = one.role is Role.NOTE and one.name in _WORDS_ONLY
    noted &= squash(header.text) not in _REFERENCES or cells.has_fractions
    # Version 3 of a task is no framework.
    counted = one.name == "framework" and not cells.has_fractions
    if not (composed or fractional or noted or counted):
        return header
    meant = header._replace(quantity=None, why="its cells are numbers")
    if composed and one.name == "method" and header.settings and not header.unit:
        # `torch op` is one way to run it: not all of that is a framework.
        return meant._replace(settings=(("method", header.text),))
    return meant


def _under_no_amount(header: Header, one: Quantity, cells: Cells) -> Header:
    """The header; without a meaning if it is that of numbers, and its cells are words."""
    why = "its cells are words"
    if one.name == "model" and header.why == "words" and not header.settings:
        # `Row model` above what it takes and what it is good for is one of those compared.
        measured = cells.has_units
        return header._replace(quantity=None, why=why) if measured else header
    if one.role in _RESULTS and are_sentences(cells):
        return header._replace(quantity=None, why=why)
    if (one.role in _RESULTS or one.integer) and not one.flag and _are_names(cells):
        return header._replace(quantity=None, unit=None, why=why)
    if one.flag and not one.text and all(" + " in text or " * " in text for text in cells.words):
        # A formula says how much, not whether.
        return header._replace(quantity=None, why=why)
    if header.unit is None and _are_no_amounts(one, cells):
        return header._replace(quantity=None, why=why)
    return header


def are_sentences(cells: Cells) -> bool:
    """Whether cells have several words each, and no number."""
    # `used = rate x 4096` is a formula.
    words = [text for text in cells.words if " = " not in text]
    numbers = bool(cells.numbers)
    return (
        bool(words)
        and not numbers
        and sum(len(text.split()) for text in words) >= _WORDY * len(words)
    )


def _are_no_amounts(one: Quantity, cells: Cells) -> bool:
    """Whether no cell has a unit or an amount of what needs one: `Static 1530` is no clock."""
    if one.unit.dimension not in UNIT_NEEDED or bool(cells.numbers):
        return False
    words = cells.words
    units = (parse_unit(match[1]) for text in words for match in _UNIT_BEHIND.finditer(text))
    told = any(unit is not None and one.fits(unit) for unit in units)
    return not told and any(map(_DIGIT.search, words))


def _are_names(cells: Cells) -> bool:
    """Whether no cell holds a number or says how much: `Infrastructure`, not `low`."""
    words = cells.words
    said = any(_SOME_AMOUNT.search(text) or not _WORD.search(text) for text in words)
    return not said and not cells.numbers


def by_signs(header: Header, cells: Cells) -> Header:
    """`+0.001 for QAT` under a score is by how much one leads."""
    one = header.quantity
    if one is None or one.role is not Role.SCORE or one.name in COMPARING or header.unit:
        return header
    numbers = cells.numbers
    signed = all(_SIGNED.match(cell.text) and cell.note and not cell.unit for cell in numbers)
    if len(numbers) < _SEVERAL or not signed or not any("+" in cell.text for cell in numbers):
        return header
    return header._replace(quantity=quantity("difference"), why="its cells say which one leads")
