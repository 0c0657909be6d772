"""Changes and totals whose numbers stand in one sentence: sound ones, and broken ones."""

from __future__ import annotations

import pytest

from mdbench.linting.checker import check
from mdbench.source import Source

CHANGES = [
    ("The bundle goes from 31.42 to 19.17 kB, i.e. {} less.", "61%", "39%"),
    ("The bundle went from 31.42 to 19.17, i.e. {} less.", "61%", "39%"),
    ("Startup drops from 412 to 318 ms, that is {} faster.", "1.9x", "1.3x"),
    ("Startup drops from 412 ms to 318 ms, a reduction of {}.", "32%", "23%"),
    ("Decoding is better at 61 vs 43, {}.", "1.2x", "1.4x"),
    ("Writes rose from 1,830 to 2,415 MB/s, which is {} more.", "52%", "32%"),
    ("{} less memory, from 31.42 to 19.17 GB", "61%", "39%"),
    ("Links now take 38 ms vs 61 ms, {} faster.", "2.6x", "1.6x"),
    ("Die Zeit sinkt von 31,42 auf 19,17 s, also {} weniger.", "61 %", "39 %"),
    ("Die Zeit sinkt von 31,42 auf 19,17 s, das sind {} weniger.", "64 %", "39 %"),
    ("La mémoire passe de 31,42 à 19,17 MB, soit {} de moins.", "61 %", "39 %"),
    ("La memoria baja de 31.42 a 19.17 GB, es decir {} menos.", "61 %", "39 %"),
    ("El tiempo baja de 412 a 318 ms, o sea {} menos.", "29 %", "23 %"),
    ("Память: от 31,42 до 19,17 MB, то есть на {} меньше.", "61 %", "39 %"),
    ("Errors fell 2,893 → 1,158 ({}).", "3.5x", "2.5x"),
]
TOTALS = [
    ("We lost 318 + 271 + 146 h, in total {}.", "835", "735"),
    ("318 + 271 + 146 h makes {} h in total.", "753", "735"),
    ("We lost 318, 271 and 146 steps, together {}.", "835", "735"),
    ("The runs took 318 h, 271 h and 146 h, {} h altogether.", "835", "735"),
    ("The step takes {} ms (214.5 + 31.8 + 9.2).", "245.5", "255.5"),
    ("It needs {} GiB (14.9 + 6.2).", "22.1", "21.1"),
    ("318 + 271 + 146 steps, for a total of {}.", "835", "735"),
    ("318 + 271 add up to {}.", "598", "589"),
    ("12.5 + 7.25 GB sums to {} GB.", "18.75", "19.75"),
    ("120k + 35k, in total {}k rows.", "165", "155"),
    ("Das sind 318 + 271 + 146 h, insgesamt {} h.", "835", "735"),
    ("Das sind 318, 271 und 146 h, zusammen {} h.", "835", "735"),
    ("Cela fait 318 + 271 + 146 h, au total {} h.", "835", "735"),
    ("Son 318 + 271 + 146 h, en total {} h.", "835", "735"),
    ("318 + 271 + 146 ч, итого {} ч.", "835", "735"),
]


def find(sentence: str) -> list[str]:
    source = Source("report.md", f"{sentence}\n")
    return [source.cut(one.span) for one in check(source) if one.code == "MB404"]


@pytest.mark.parametrize(("text", "wrong", "right"), CHANGES + TOTALS)
def test_what_a_sentence_works_out(text: str, wrong: str, right: str) -> None:
    (found,) = find(text.format(wrong))
    assert wrong.replace(" ", "").startswith(found.replace(" ", ""))
    assert find(text.format(right)) == []


@pytest.mark.parametrize(
    "text",
    [
        # A number of threads is no result.
        "From 4 to 8 threads it is 1.6x faster.",
        "With 32 vs 64, 1.6x faster.",
        "It scales from 4 to 8, 1.6x faster.",
        # What is needed more is something else.
        "Going from 13.5 to 16.5 GB, 40% more time is needed.",
        "We went from 28.2 to 16.7 kB/s at 59% load.",
        "The size went from 28.16 to 16.71, that is 59%.",
        "The size went from 28.16 to 16.71, about 43% less.",
        "Latency fell from 90 to 60 ms, which is 1.5x faster.",
        "Latency fell from 90 to 60 ms, which is 50% faster.",
        # Only some of the numbers are added, or they are no parts.
        "2 * 318 + 271 h, in total 907 h.",
        "1 h + 30 min, in total 90 min.",
        "It needs 12 GB (8 + 3.5).",
        "It needs 22 GiB (14.9 + 6.2 and some).",
        "On 8, 16 and 32 nodes, in total 1,200 runs.",
        "The 3 + 4 GB of both, in total about 7.5 GB.",
        "120k + 30k rows, in total 149,812 rows.",
        "About 300 + 271 h, in total 589 h.",
    ],
)
def test_a_sentence_that_may_mean_something_else(text: str) -> None:
    assert find(text) == []
