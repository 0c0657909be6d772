"""Damaged real reports: a mutation depends only on its seed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random

PROJECT = Path(__file__).resolve().parents[2]
_FOLDERS = (PROJECT / "reports", PROJECT.parent / "shared" / "corpus")

Mutation = Callable[[bytes, Random, Sequence[bytes]], bytes]

_MOST_BYTES = 4_000
_SMALL_BYTES = 600
_PIECES = re.compile(rb"[^|\r\n]+")
_NUMBERS = re.compile(rb"\d[\d.,]*")
_HEADERS = re.compile(rb"^.*\|.*\n(?=[ \t|:-]*-[ \t|:-]*$)", re.MULTILINE)
_ODD = [
    one.encode()
    for one in (
        *(
            "\u202e",
            "\u202c",
            "\u2066",
            "\u200b",
            "\u200d",
            "\u0301",
            "\ufeff",
            "\u2028",
            "\x85",
            "\xa0",
        ),
        *(
            "\x1b[2J",
            "\x07",
            "\x7f",
            "\v",
            "\f",
            "\t",
            "\r",
            "\U0010ffff",
            "İ",
            "ﬁ",
            "٣",
            "１",
            "½",
            "²",
        ),
        *("👩\u200d👩\u200d👧", "e\u0301\u0301\u0301", "−", "…", "″", "×", "±", "µ", "日本", "ß"),
    )
]
_NUMERALS = [
    one.encode()
    for one in (
        *(
            "0",
            "-0",
            "00",
            "1e400",
            "1e-400",
            "1e999999999",
            "-1",
            "1/0",
            "9" * 400,
            "0." + "0" * 400 + "1",
        ),
        *(
            "1e5",
            "1.5e3",
            "1,2,3",
            "1.2.3",
            "inf",
            "NaN",
            "1_000",
            "2^70",
            "10^400",
            "1:99",
            "24:61:61",
        ),
        *(
            "2024-13-45",
            "9999999999 h",
            "1e30 TB",
            "0 GPUs",
            "0 s",
            "100000%",
            "-5 GB",
            "1e18",
            "1e19",
        ),
    )
]
_MARKUP = (
    *(b"|", b"||", b"\\|", b"\\", b"`", b"```", b"~~~", b"<!--", b"-->", b"<table>", b"</table>", b"<td>"),
    *(b"<td colspan=9999999>", b"> ", b"- ", b"1. ", b"# ", b"\n", b"\n\n", b"\r\n", b"\n|---|\n", b"[", b"]("),
    *(b"[^1]", b"[^1]: ", b"**", b"* ", b"^", b"&nbsp;", b"<br>", b"<!-- mdbench: ignore MB301 -->", b"    "),
    *(b"=", b" = ", b"(", b")", b"$", b"<!-- mdbench: ignore-file -->", b"---\n", b":-:", b"%", b"\n===\n"),
)  # fmt: skip


@cache
def samples() -> tuple[bytes, ...]:
    """The reports to start from, in a fixed order: our own, and others if available."""
    return tuple(path.read_bytes() for one in _FOLDERS for path in sorted(one.glob("*.md")))


@cache
def _pieces() -> tuple[bytes, ...]:
    """The first rows of every table, and the start of every report."""
    found = []
    for report in samples():
        for start in (0, *(match.start() for match in _HEADERS.finditer(report))):
            end = report.find(b"\n", start + _SMALL_BYTES)
            found.append(report[start:] if end < 0 else report[start:end])
    return tuple(found)


def mutate(random: Random) -> bytes:
    """A part of a report after some mutations."""
    return _damage(_cut(random.choice(samples()), random), random, samples(), 8 * _MOST_BYTES)


def mutate_piece(random: Random) -> bytes:
    """Like `mutate`, but small."""
    return _damage(random.choice(_pieces()), random, _pieces(), 2 * _SMALL_BYTES)


def _damage(data: bytes, random: Random, reports: Sequence[bytes], most: int) -> bytes:
    for _ in range(random.choice((1, 1, 2, 3, 5, 9))):
        data = random.choice(MUTATIONS)(data, random, reports)
        data = data[:most]
    # With a NUL it would not be text, which is tested separately.
    return data.replace(b"\0", b"")


def _cut(data: bytes, random: Random) -> bytes:
    """A whole report if it is short, or some consecutive lines of it."""
    most = random.choice((300, 1000, _MOST_BYTES))
    if len(data) <= most:
        return data
    start = data.find(b"\n", random.randrange(len(data) - most)) + 1
    return data[start : start + most]


def _flip_bytes(data: bytes, random: Random, _reports: Sequence[bytes]) -> bytes:
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 4, 16))):
        if changed:
            changed[random.randrange(len(changed))] = random.randrange(1, 256)
    return bytes(changed)


def _drop_bytes(data: bytes, random: Random, _reports: Sequence[bytes]) -> bytes:
    start = random.randint(0, len(data))
    return data[:start] + data[start + random.choice((1, 1, 5, 50)) :]


def _cut_short(data: bytes, random: Random, _reports: Sequence[bytes]) -> bytes:
    """Truncate anywhere, even within a character."""
    return data[: random.randint(0, len(data))]


def _insert(choices: Sequence[bytes]) -> Mutation:
    def insert(data: bytes, random: Random, _reports: Sequence[bytes]) -> bytes:
        for _ in range(random.choice((1, 1, 3, 9))):
            at = random.randint(0, len(data))
            data = data[:at] + random.choice(choices) + data[at:]
        return data

    return insert


def _shuffle_lines(data: bytes, random: Random, _reports: Sequence[bytes]) -> bytes:
    lines = data.splitlines(keepends=True)
    for _ in range(random.choice((1, 2, 5))):
        if len(lines) > 1:
            one, other = random.randrange(len(lines)), random.randrange(len(lines))
            lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def _drop_lines(data: bytes, random: Random, _reports: Sequence[bytes]) -> bytes:
    share = random.choice((0.05, 0.2, 0.6))
    return b"".join(line for line in data.splitlines(keepends=True) if random.random() > share)


def _repeat_lines(data: bytes, random: Random, _reports: Sequence[bytes]) -> bytes:
    lines = data.splitlines(keepends=True)
    start = random.randint(0, len(lines))
    end = min(len(lines), start + random.choice((1, 1, 3, 12)))
    times = random.choice((2, 2, 3, 40))
    return b"".join((*lines[:start], *lines[start:end] * times, *lines[end:]))


def _swap_cells(data: bytes, random: Random, _reports: Sequence[bytes]) -> bytes:
    """Swap the texts between some pipes."""
    for _ in range(random.choice((1, 2, 6))):
        cells = list(_PIECES.finditer(data))
        if cells:
            target, origin = random.choice(cells), random.choice(cells)
            data = data[: target.start()] + origin[0] + data[target.end() :]
    return data


def _change_numbers(data: bytes, random: Random, _reports: Sequence[bytes]) -> bytes:
    for _ in range(random.choice((1, 1, 4))):
        found = list(_NUMBERS.finditer(data))
        if found:
            target = random.choice(found)
            other = random.choice((random.choice(_NUMERALS), random.choice(found)[0]))
            data = data[: target.start()] + other + data[target.end() :]
    return data


def _splice(data: bytes, random: Random, reports: Sequence[bytes]) -> bytes:
    """The start of this report and the end of another."""
    other = _cut(random.choice(reports), random)
    return data[: random.randint(0, len(data))] + other[random.randint(0, len(other)) :]


def _mix_lines(data: bytes, random: Random, reports: Sequence[bytes]) -> bytes:
    """Alternate lines of this and another report, like a broken merge."""
    other = _cut(random.choice(reports), random).splitlines(keepends=True)
    lines = data.splitlines(keepends=True)
    for _ in range(random.choice((1, 3, 10))):
        if other:
            lines.insert(random.randint(0, len(lines)), random.choice(other))
    return b"".join(lines)


def _nest(data: bytes, random: Random, _reports: Sequence[bytes]) -> bytes:
    """Nest some lines deeply in quotes and lists, brackets or tags."""
    lines = data.splitlines(keepends=True)
    start = random.randint(0, len(lines))
    end = min(len(lines), start + random.choice((1, 5, 30)))
    mark = random.choice(
        (b"> ", b">", b"- ", b"  ", b"\t", b"1. ", b"(", b"[", b"<b>", b"<table><tr><td>")
    )
    prefix = mark * random.choice((1, 1, 2, 8, 40, 400))
    return b"".join((*lines[:start], *(prefix + line for line in lines[start:end]), *lines[end:]))


def _change_endings(data: bytes, random: Random, _reports: Sequence[bytes]) -> bytes:
    lines = data.splitlines()
    ending = random.choice((b"\r\n", b"\r", b"\n\n", b""))
    share = random.choice((0.1, 1.0))
    return b"".join(line + (ending if random.random() < share else b"\n") for line in lines)


def _change_rule(data: bytes, random: Random, _reports: Sequence[bytes]) -> bytes:
    """Change or remove the delimiter row below a header."""
    lines = data.splitlines(keepends=True)
    rules = [at for at, line in enumerate(lines) if b"-|" in line or b"|-" in line]
    if rules:
        at = random.choice(rules)
        lines[at] = random.choice(
            (
                b"",
                b"---\n",
                lines[at] * 2,
                b"|-" * random.randint(1, 9) + b"|\n",
                b" " * 4 + lines[at],
            )
        )
    return b"".join(lines)


MUTATIONS: tuple[Mutation, ...] = (
    _flip_bytes,
    _drop_bytes,
    _cut_short,
    _insert(_ODD),
    _insert(_NUMERALS),
    _insert(_MARKUP),
    _shuffle_lines,
    _drop_lines,
    _repeat_lines,
    _swap_cells,
    _swap_cells,
    _change_numbers,
    _change_numbers,
    _splice,
    _mix_lines,
    _nest,
    _change_endings,
    _change_rule,
)
