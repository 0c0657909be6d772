"""A perplexity is e to the power of its loss, where the rows of a table show it."""

from __future__ import annotations

import mdbench

ROWS = ("1 | 4.0943 | 60.0", "2 | 3.6889 | 40.0", "4 | 3.4012 | 30.0", "8 | 3.2189 | 25.0")


def find(*rows: str, header: str = "Epoch | val loss | val ppl") -> list[str]:
    bars = "|".join("--:" for _ in header.split("|"))
    text = "\n".join((f"| {header} |", f"|{bars}|", *(f"| {row} |" for row in rows), ""))
    return [finding.message for finding in mdbench.lint(text)]


def test_a_wrong_perplexity_is_found() -> None:
    (message,) = find(*ROWS[:2], "3 | 3.5553 | 53.3", *ROWS[2:])
    assert message.startswith("val ppl 53.3 should be 35.0")


def test_a_wrong_loss_is_found() -> None:
    (message,) = find(*ROWS, "16 | 3.9010 | 22.0")
    assert message.startswith("val loss 3.9010 should be 3.091")


def test_rows_that_follow_are_checked() -> None:
    assert find(*ROWS, "16 | 3.0910 | 22.0") == []


def test_losses_of_other_texts_are_no_mistakes() -> None:
    """In bits, or of the training set: then no row follows."""
    header = "Epoch | train loss | val ppl"
    assert find("1 | 4.5 | 60.0", "2 | 3.6 | 40.0", "4 | 3.2 | 30.0", header=header) == []


def test_a_few_rows_that_follow_are_no_law() -> None:
    assert find(*ROWS[:2], "16 | 3.0910 | 28.0") == []
    assert find(*ROWS[:3], "8 | 3.5 | 25.0", "16 | 3.4 | 22.0", "32 | 3.3 | 20.0") == []
