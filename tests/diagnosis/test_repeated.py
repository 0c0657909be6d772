"""A number that is wrong in every row is one mistake, also as one of two in a cell."""

from __future__ import annotations

from mdbench.linting.checker import check
from mdbench.rules.findings import Finding
from mdbench.source import Source

HEAD = (
    "| Nodes | Batch size / GPU (TF32 and FP16) | Accumulated Batch size / GPU (TF32 and FP16) "
    "| Accumulation steps (TF32 and FP16) | Sequence length |\n|--|--|--|--|--|\n"
)
LONG = (
    "| 1 | 16 and 32 | 4096 and 4096 | 256 and 128 | 512 |\n"
    "| 2 | 16 and 32 | 2048 and 2048 | 128 and 64 | 512 |\n"
)


def find(text: str) -> list[Finding]:
    return [one for one in check(Source("report.md", text)) if one.code == "MB301"]


def rows(*batches: str, size: int = 8192) -> str:
    parts = [
        f"| {1 << at} | {batch} and 256 | {size >> at} and {size >> at} "
        f"| {64 >> at} and {32 >> at} | 128 |\n"
        for at, batch in enumerate(batches)
    ]
    return "".join(parts)


def test_a_number_that_every_row_contradicts_is_one_warning() -> None:
    text = HEAD + rows("126", "126", "126", "126") + LONG
    (found,) = find(text)
    assert found.severity.value == "warning"
    assert found.message.endswith("126 should be 128 in all 4 rows with it: 8192 / 64 in the first")
    (fix,) = found.fixes
    for one in reversed(fix.edits):
        text = text[: one.span.start] + one.text + text[one.span.end :]
    assert text == HEAD + rows("128", "128", "128", "128") + LONG


def test_a_number_that_another_row_confirms_is_not_blamed_everywhere() -> None:
    text = HEAD + rows("128", "128", "128", "128") + LONG
    assert find(text) == []
    (found,) = find(text.replace("32 and 16", "30 and 16"))
    assert found.severity.value == "error"
    assert "in all" not in found.message
