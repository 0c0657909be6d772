"""Whether bytes are the memory that a run takes, or the size of a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from mdbench.numerals.units import Unit
from mdbench.regex import lazy
from mdbench.vocabulary.headers import BY_CELLS, Header
from mdbench.vocabulary.quantities import Quantity, quantity, squash

_NEAREST = 2
_TAKEN = lazy(
    r"\b(?:memory|v?ram|sram|flash) (?:usage|use|utili[sz]ation|consumption|footprint|budget)\b|"
    r"(?:显存|内存)(?:占用|使用|利用)",
    re.IGNORECASE,
)
_ANY_SHARE = frozenset(("utilization", "utilisation", "util", "usage%", "利用率"))
_GIGABYTE = 10**9
_MEMORY = lazy(
    r"\b(?:mem|memory|v?ram|peak|heap|rss|mémoire|mem[oó]ria|(?:arbeits)?speicher)\b|памят|显存|内存|メモリ|메모리",
    re.IGNORECASE,
)


_FILE = lazy(
    r"\b(?:file|dataset|disk|archive|binary|bundle|package|apk|wheel)s?\b|größe|taille|tamaño|размер|"
    r"文件|\.(?:h5|tflite|onnx|gguf|bin|pth?|safetensors|zip|so|jar|exe)\b",
    re.IGNORECASE,
)
_CACHE = lazy(r"\b(?:cache|memory|buffer|register|stack|heap)\b|缓存|内存", re.IGNORECASE)
_SIZES = frozenset(("model_file_mib", "message_bytes"))


def names_file(text: str) -> bool:
    """Whether a header of bytes says that they are those of a file, and not of memory."""
    return _FILE.search(text) is not None and _MEMORY.search(text) is None


def as_file(
    candidates: Sequence[Quantity], unit: Unit | None, siblings: Sequence[Header]
) -> Sequence[Quantity]:
    """What a `Size` in bytes is where no model and no message is spoken of: that of a file."""
    if unit is None or unit.dimension != "byte" or {one.name for one in candidates} != _SIZES:
        return candidates
    if any(_CACHE.search(one.text) for one in siblings):
        return candidates
    return (quantity("file_bytes"),)


def as_peak(header: Header, unit: Unit | None) -> Header:
    """What is allocated at the peak, or in gigabytes, is the memory of a run."""
    if header.quantity is None or header.quantity.name != "alloc_bytes":
        return header
    large = unit is not None and unit.dimension == "byte" and unit.scale >= _GIGABYTE
    if header.statistic == "max" or large:
        return header._replace(quantity=quantity("memory_mib"))
    return header


def speaks_of_memory(headers: Sequence[Header], of_models: AbstractSet[str]) -> bool:
    """Whether a table is about memory, or about models, which take some."""
    known = {one.quantity.name for one in headers if one.quantity is not None}
    stated = {name for one in headers for name, _ in one.settings}
    if any(_MEMORY.search(one.text) for one in headers):
        return True
    return bool((known | stated) & (of_models | {"memory_mib", "memory_share", "kv_cache"}))


def as_memory_shares(headers: tuple[Header, ...], captions: Sequence[str]) -> tuple[Header, ...]:
    """The headers; a bare `Utilization`, and bytes, are of the memory that the text speaks of."""
    meant = [_of_memory(one) for one in headers]
    if not any(meant) or not any(map(_TAKEN.search, captions[:_NEAREST])):
        return headers
    return tuple(
        one._replace(quantity=other, why="the text above speaks of memory") if other else one
        for one, other in zip(headers, meant, strict=True)
    )


def _of_memory(header: Header) -> Quantity | None:
    """What a header means where memory is spoken of, if only units or a bare word told it."""
    one = header.quantity
    if one == quantity("device_utilization") and squash(header.text) in _ANY_SHARE:
        return quantity("memory_share")
    guessed = header.why == BY_CELLS and not names_file(header.text)
    return quantity("memory_mib") if guessed and one == quantity("file_bytes") else None
