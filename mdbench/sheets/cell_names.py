"""Headers whose words mean one thing above some names, and another above others."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mdbench.regex import lazy
from mdbench.sheets.cell_kinds import are_sentences
from mdbench.sheets.column_cells import Cells
from mdbench.vocabulary.headers import Header
from mdbench.vocabulary.quantities import quantity, squash

_PARALLEL = lazy(
    r"(?<![a-z])(?:[dtpcem]p|[vh]pp|fsdp|ddp|zero|ulysses|ring)(?![a-z])|parallel|pipeline|shard|"
    r"stage|并行|流水|並列|병렬|параллел|\d ?[/x×*,] ?\d",
    re.IGNORECASE,
)
_ARCHITECTURE = frozenset(
    "architecture arch architektur arquitectura архитектура 架构 アーキテクチャ 아키텍처".split()
)
# What something is for, or the function that was measured.
_PURPOSE = frozenset("function functions funktion fonction función функция 功能 関数 함수".split())
_CHIPS = lazy(
    r"(?:(?:nvidia|amd|intel|apple|arm) )?(?:hopper|blackwell|ampere|volta|turing|pascal|maxwell|"
    r"ada(?: lovelace)?|kepler|rubin|grace|vera|[cr]dna ?\d?|gcn ?\d?|zen ?\d?\+?|skylake|"
    r"(?:ice|cascade|sapphire|alder|raptor) ?(?:lake|rapids)|neoverse\S{0,4}|x86(?:[-_]64)?|x64|"
    r"amd64|arm64|aarch64|armv\d\S{0,6}|risc-?v\S{0,4}|sm_?\d{2,3})",
    re.IGNORECASE,
)


def by_meant_names(header: Header, cells: Cells, kind: str) -> Header:
    """The header: a strategy that splits no work is a method, and `x86_64` is no model."""
    one = header.quantity
    if one is None or kind != "words":
        return header
    words = cells.words
    if one.name == "parallelism" and not any(map(_PARALLEL.search, (header.text, *words))):
        why = "its cells name no parallelism"
        return header._replace(quantity=quantity("method"), why=why)
    if one.name == "benchmark" and squash(header.text) in _PURPOSE and are_sentences(cells):
        return header._replace(quantity=quantity("notes"), why="its cells are sentences")
    if one.name == "model" and squash(header.text) in _ARCHITECTURE and _are_chips(words):
        return header._replace(quantity=quantity("device"), why="its cells name chips")
    return header


def _are_chips(words: Sequence[str]) -> bool:
    parts = [part.strip("` ") for text in words for part in text.split("/")]
    return bool(parts) and all(map(_CHIPS.fullmatch, parts))
