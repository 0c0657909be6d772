"""What the rules about structure and notation report in real-world tables, and what not."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from mdbench.linting.checker import check
from mdbench.linting.plan import Options
from mdbench.linting.selection import Selection
from mdbench.rules.findings import Finding, Severity
from mdbench.source import Source

FOUND: dict[str, tuple[str, str, list[int]]] = {
    "MB101: a result after the last header is not shown": (
        "MB101",
        "| Nodes | TFLOPs |\n|--|--|\n| 2 | 47.0 | 8.1 |\n",
        [3],
    ),
    "MB101: text after the last pipe is a cell too many": (
        "MB101",
        "| Nodes | TFLOPs |\n|--|--|\n| 2 | 47.0 | measured twice\n",
        [3],
    ),
    "MB101: a row without its last cell": (
        "MB101",
        "| Nodes | MBS | TFLOPs |\n|--|--|--|\n| 2 | 1 |\n| 4 | 1 | 46.0 |\n",
        [3],
    ),
    "MB101: a header with more cells than any row is reported once": (
        "MB101",
        "| A | B | C |\n|--|--|--|\n| 2 | 1 |\n| 4 | 1 |\n| 8 | 2 |\n",
        [1],
    ),
    "MB102: blank rows at the end, once": (
        "MB102",
        "| Nodes | TFLOPs |\n|--|--|\n| 2 | 47.0 |\n| | |\n|  |  |\n",
        [4],
    ),
    "MB102: blank rows inside a table, once": (
        "MB102",
        "| Nodes | TFLOPs |\n|--|--|\n| 2 | 47.0 |\n| | |\n| 4 | 46.0 |\n| | |\n| 8 | 45.0 |\n",
        [4],
    ),
    "MB103: a row repeated further down": (
        "MB103",
        "| Nodes | Sec/it |\n|--|--|\n| 2 | 47.1 |\n| 4 | 23.6 |\n| 2 | **47.1** |\n",
        [5],
    ),
    "MB103: alike, but for the emphasis of a label": (
        "MB103",
        "| Run | Nodes | Sec/it |\n|--|--|--|\n| a | 2 | 47.1 |\n| **a** | 2 | 47.1 |\n",
        [4],
    ),
    "MB105: a heading at the end": ("MB105", "# A\n\nText.\n\n## B\n", [5]),
    "MB105: a heading with only a comment below": ("MB105", "# A\n\n<!-- later -->\n", [1]),
    "MB106: a chart next to a table that only has settings": (
        "MB106",
        '| MBS |\n|--|\n| 1 |\n\n<iframe src="https://x.org/plot/1"></iframe>\n',
        [5],
    ),
    "MB201: a power under a memory header": (
        "MB201",
        "| Nodes | Memory |\n|--|--|\n| 2 | 17 GB |\n| 4 | 300 W |\n",
        [4],
    ),
    "MB202: a spreadsheet error": (
        "MB202",
        "| Nodes | Sec/it |\n|--|--|\n| 2 | 47.1 |\n| 4 | 23.6 |\n| 8 | #DIV/0! |\n",
        [5],
    ),
    "MB202: a letter for a zero": (
        "MB202",
        "| Nodes | Sec/it |\n|--|--|\n| 2 | 47.1 |\n| 4 | 23.6 |\n| 8 | O.5 |\n",
        [5],
    ),
    "MB203: a bare unit among numbers": (
        "MB203",
        "| Nodes | Sec/it | Memory |\n|--|--|--|\n| 2 | 4.1 | 17 GB |\n| 4 | 2.2 | GB |\n",
        [4],
    ),
    "MB204: a clock in brackets": (
        "MB204",
        "| Nodes | Sec/it |\n|--|--|\n| 2 (2.2Hz) | 47.1 |\n",
        [3],
    ),
    "MB205: seconds and a bare number": (
        "MB205",
        "| GPUs | Runtime |\n|--|--|\n| 1 | 90.5s |\n| 2 | 213 |\n",
        [4],
    ),
    "MB206: two markers for missing values in one column": (
        "MB206",
        "| GPUs | Sec/it |\n|--|--|\n| 1 | - |\n| 2 | N/A |\n| 4 | - |\n| 8 | 3.5 |\n",
        [4],
    ),
    "MB207: a dagger": ("MB207", "| GPUs | Sec/it |\n|--|--|\n| 1 | 14.39† |\n", [3]),
    "MB207: a footnote without its text": (
        "MB207",
        "| GPUs | Sec/it |\n|--|--|\n| 1 | 14.39[^slow] |\n",
        [3],
    ),
    "MB207: each marker once, even if it is on many cells": (
        "MB207",
        "| GPUs | Sec/it |\n|--|--|\n| 1 | 14.3† |\n| 2 | 7.2‡ |\n| 4 | 3.7† |\n",
        [3, 4],
    ),
    "MB209: a note in one cell of many": (
        "MB209",
        (
            "| GPUs | Sec/it | Notes |\n|--|--|--|\n| 1 | 9.1 | |\n"
            "| 2 | 4.7 (first epoch only) | |\n| 4 | 2.4 | |\n"
        ),
        [4],
    ),
    "MB209: the outcome of a run after its result": (
        "MB209",
        "| GPUs | Memory | Notes |\n|--|--|--|\n| 1 | 14 GB (OOM after 3 steps) | |\n",
        [3],
    ),
}

SILENT: dict[str, tuple[str, str]] = {
    "MB101: two pipes at the end of a row": (
        "MB101",
        "| Nodes | TFLOPs |\n|--|--|\n| 2 | 47.0 ||\n",
    ),
    "MB101: a comment after a row": (
        "MB101",
        "| Nodes | TFLOPs |\n|--|--|\n| 2 | 47.0 | <!-- twice -->\n",
    ),
    "MB101: a row that names a group": (
        "MB101",
        "| Nodes | MBS | TFLOPs |\n|--|--|--|\n| **A100** |\n| 2 | 1 | 47.0 |\n",
    ),
    "MB102: a row of dashes": (
        "MB102",
        "| Nodes | TFLOPs |\n|--|--|\n| 2 | 47.0 |\n| --- | --- |\n",
    ),
    "MB102: separated groups": (
        "MB102",
        (
            "| Model | MBS | TFLOPs |\n|--|--|--|\n| S | 1 | 47.0 |\n| S | 2 | 48.0 |\n| | | |\n"
            "| M | 1 | 44.0 |\n| M | 2 | 45.0 |\n"
        ),
    ),
    "MB102: separated groups, twice": (
        "MB102",
        (
            "| DS | Nodes | TFLOPs |\n|--|--|--|\n| Y | 2 | 47.0 |\n| Y | 4 | 46.0 |\n"
            "| | | |\n| | | |\n| N | 2 | 41.0 |\n| N | 4 | 40.0 |\n"
        ),
    ),
    "MB102: groups whose first row is bold": (
        "MB102",
        (
            "| Name | Type | Mean |\n|-|-|-|\n| **A** | **Int** | **9 us** |\n| B | Int | 3 us |\n"
            "| | | |\n| **A** | **Text** | **8 us** |\n| B | Text | 2 us |\n"
        ),
    ),
    "MB102: before a title": (
        "MB102",
        "| Model | Time |\n|--|--|\n| a | 1.5 s |\n| | |\n| **Large models** | |\n| b | 2.5 s |\n",
    ),
    "MB102: before a total": (
        "MB102",
        "| Query | Time |\n|--|--|\n| q1 | 1.5 s |\n| q2 | 2.5 s |\n| | |\n| Total | 4.0 s |\n",
    ),
    "MB102: a non-breaking space": (
        "MB102",
        "| Nodes | TFLOPs |\n|--|--|\n| 2 | 47 |\n| &nbsp; | |\n",
    ),
    "MB102: a form to fill in": ("MB102", "| Nodes | TFLOPs |\n|--|--|\n| | |\n"),
    "MB103: rows without a result": (
        "MB103",
        "| Nodes | Sec/it |\n|--|--|\n| 2 | - |\n| 2 | - |\n",
    ),
    "MB103: alike under different models, named only once": (
        "MB103",
        "| Name | GPUs | Time |\n|-|-|-|\n| a | 1 | 5 |\n| | 2 | 3 |\n| b | 1 | 9 |\n| | 2 | 3 |\n",
    ),
    "MB103: several runs of the same settings": (
        "MB103",
        "| GPUs | Sec/it |\n|--|--|\n| 1 | 47.1 |\n| 1 | 47.3 |\n| 1 | 47.1 |\n| 2 | 24.0 |\n",
    ),
    "MB103: alike, with links to different logs": (
        "MB103",
        (
            "| GPUs | Sec/it | Log |\n|--|--|--|\n| 1 | 47.1 | [log](a.txt) |\n"
            "| 1 | 47.1 | [log](b.txt) |\n"
        ),
    ),
    "MB103: alike in two groups": (
        "MB103",
        "| GPUs | Sec/it |\n|--|--|\n| **bert** | |\n| 2 | 2.5 |\n| **gpt2** | |\n| 2 | 2.5 |\n",
    ),
    "MB104: headers of a pivot repeat, their cells do not": (
        "MB104",
        "| GPUs | Sec/it | Sec/it |\n|--|--|--|\n| 1 | 5.0 | 6.0 |\n| 2 | 2.5 | 3.0 |\n",
    ),
    "MB104: two columns of one constant": (
        "MB104",
        "| GPUs | TP | TP |\n|--|--|--|\n| 1 | 1 | 1 |\n| 2 | 1 | 1 |\n",
    ),
    "MB105: a heading with headings below": ("MB105", "# A\n\n## B\n\nText.\n"),
    "MB105: a heading in a list item": ("MB105", "Steps.\n\n- # Data\n\n  Text.\n\n- # Train\n"),
    "MB105: the title of the report": ("MB105", "# Report\n\n# Results\n\nText.\n"),
    "MB105: a sentence as a heading": (
        "MB105",
        "Text.\n\n### Note: all commands have to be run in the folder that contains the model\n",
    ),
    "MB105: a link as a heading": ("MB105", "Text.\n\n## [Model](https://x.org/model)\n"),
    "MB105: a heading that the next ones divide": (
        "MB105",
        "Text.\n\n## Data\n\n## Batch 64\n\nText.\n\n## Model\n\n## Batch 64\n\nText.\n",
    ),
    "MB105: a heading with a table below": ("MB105", "# A\n| x |\n|--|\n| 1 |\n"),
    "MB106: a video": ("MB106", '<iframe src="https://video.example.org/embed/1"></iframe>\n'),
    "MB106: a chart with its numbers below": (
        "MB106",
        '<iframe src="https://x.org/plot/1"></iframe>\n\n| Nodes | Sec/it |\n|--|--|\n| 1 | 5 |\n',
    ),
    "MB106: a chart in a code fence": (
        "MB106",
        '```html\n<iframe src="https://x.org/plot/1"></iframe>\n```\n',
    ),
    "MB201: percent in a column of memory": (
        "MB201",
        "| Nodes | Memory |\n|--|--|\n| 2 | 17 GB |\n| 4 | 80% |\n",
    ),
    "MB201: a header that has another meaning in all cells": (
        "MB201",
        "| Nodes | Cost |\n|--|--|\n| 2 | 49.7 hours |\n| 4 | 40.3 hours |\n",
    ),
    "MB202: words, statuses and markers for missing values": (
        "MB202",
        "| Nodes | Sec/it |\n|--|--|\n| 2 | 4 |\n| 4 | 2 |\n| 8 | OOM |\n| 9 | N/A |\n| 9 | ? |\n",
    ),
    "MB202: versions": (
        "MB202",
        "| PyTorch | Sec/it |\n|--|--|\n| 1.10.0 | 47.1 |\n| 1.7.1 | 23 |\n| 2.0 | 9 |\n",
    ),
    "MB203: a marker for a missing value": (
        "MB203",
        "| Nodes | Sec/it | Memory |\n|--|--|--|\n| 2 | 4.1 | 17 GB |\n| 4 | 2.2 | - GB |\n",
    ),
    "MB206: a mark that stands for the rest of its row": (
        "MB206",
        "| Batch | 1 | 2 | 4 |\n|--|--|--|--|\n| a (ms) | 9 | 8 | OOM |\n| b (ms) | 9 | OOM | |\n",
    ),
    "MB203: a column of units": ("MB203", "| Name | Unit |\n|--|--|\n| memory | GB |\n"),
    "MB204: a clock in MHz": ("MB204", "| Nodes | Clock |\n|--|--|\n| 2 | 1410 MHz |\n"),
    "MB205: a unit for every number": (
        "MB205",
        "| GPUs | Memory |\n|--|--|\n| 1 | 900 MB |\n| 2 | 1.2 GB |\n| 4 | 11.29 G |\n",
    ),
    "MB205: the header states the unit": (
        "MB205",
        "| GPUs | Runtime (s) |\n|--|--|\n| 1 | 90.5s |\n| 2 | 213 |\n",
    ),
    "MB205: zero needs no unit": (
        "MB205",
        "| GPUs | Runtime |\n|--|--|\n| 1 | 90.5s |\n| 2 | 0 |\n",
    ),
    "MB206: dashes of all kinds": (
        "MB206",
        "| GPUs | Sec/it |\n|--|--|\n| 1 | - |\n| 2 | — |\n| 4 | 3.5 |\n",
    ),
    "MB207: explained below the table": (
        "MB207",
        "| GPUs | Sec/it |\n|--|--|\n| 1 | 14.39† |\n\n† with offloading\n",
    ),
    "MB207: explained with escaped stars": (
        "MB207",
        "| GPUs | Sec/it |\n|--|--|\n| 1 | 5.3\\*\\*\\* |\n\n(\\*\\*\\*) with a warm cache\n",
    ),
    "MB207: a number with a link": (
        "MB207",
        "| GPUs | Sec/it |\n|--|--|\n| 1 | [5.3*](https://x.org/how) |\n",
    ),
    "MB207: explained in a sentence": (
        "MB207",
        "Runs marked with * were stopped early.\n\n| GPUs | Sec/it |\n|--|--|\n| 1 | 14.39* |\n",
    ),
    "MB207: explained in a note of the table": (
        "MB207",
        "| GPUs | Sec/it | Notes |\n|--|--|--|\n| 1 | 14.39^ | ^ stopped early |\n",
    ),
    "MB207: bold": ("MB207", "| GPUs | Sec/it |\n|--|--|\n| 1 | **14.39** |\n| 2 | *7.2* |\n"),
    "MB207: unclosed bold text": (
        "MB207",
        "| GPUs | Sec/it |\n|--|--|\n| 1 | **14.39* |\n",
    ),
    "MB207: a footnote with its text": (
        "MB207",
        "| GPUs | Sec/it |\n|--|--|\n| 1 | 14.39[^1] |\n\n[^1]: with offloading\n",
    ),
    "MB206: a mark that stands for its row": (
        "MB206",
        (
            "| MBS | Mem | Score |\n|--|--|--|\n| 1 | 9 GB | 0.5 |\n| 2 | OOM | |\n| 4 | OOM | |\n"
            "| 8 | OOM | OOM |\n"
        ),
    ),
    "MB208: a few numbers among other notes": (
        "MB208",
        (
            "| MBS | TFLOPs | Notes |\n|--|--|--|\n| 1 | 47.0 | 16GB |\n| 2 | 47.1 | 17GB |\n"
            "| 4 | 47.2 | slow start |\n| 8 | 47.3 | second try |\n"
        ),
    ),
    "MB208: one number among the notes": (
        "MB208",
        "| GPUs | Notes |\n|--|--|\n| 1 | 16GB |\n| 2 | slow |\n",
    ),
    "MB209: the outcome of a run in a table without a column for notes": (
        "MB209",
        "| GPUs | Memory |\n|--|--|\n| 1 | 14 GB (OOM after 3 steps) |\n| 2 | 9 GB |\n",
    ),
    "MB209: a second quantity": (
        "MB209",
        "| GPUs | Memory |\n|--|--|\n| 1 | 4.50 GB (19.05%) |\n",
    ),
    "MB209: a note in every cell": (
        "MB209",
        "| Model | Tokens/s |\n|--|--|\n| a | 25.1 (on GPU) |\n| b | 0.6 (on CPU) |\n",
    ),
    "MB209: the words after a factor": (
        "MB209",
        "| GPUs | Speedup |\n|--|--|\n| 1 | 1.00x (baseline) |\n| 2 | 1.9x |\n| 4 | 3.7x |\n",
    ),
    "MB209: a spread": ("MB209", "| GPUs | Sec/it |\n|--|--|\n| 1 | 132.19 ± 0.55 |\n"),
}


def findings_of(text: str, code: str) -> list[Finding]:
    return list(check(Source("case.md", text), Options(Selection((code,)))))


@pytest.mark.parametrize(("code", "text", "lines"), FOUND.values(), ids=FOUND.keys())
def test_found(code: str, text: str, lines: list[int]) -> None:
    source = Source("case.md", text)
    found = [(one.code, source.line(one.span.start)) for one in findings_of(text, code)]
    assert found == [(code, line) for line in lines]


@pytest.mark.parametrize(("code", "text"), SILENT.values(), ids=SILENT.keys())
def test_not_found(code: str, text: str) -> None:
    assert findings_of(text, code) == []


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        ("bigscience-1b3", {"MB102": [33], "MB206": [101, 104]}),
        ("fmengine", {"MB106": [19, 23, 33, 37]}),
        (
            "fugaku-1.3b",
            {"MB103": [45], "MB105": [56], "MB204": [33], "MB207": [42]},
        ),
        ("fugaku-30b", {"MB209": [24, 27, 32]}),
        ("nanotron-nemo", {}),
    ],
)
def test_the_sample_reports(project: Path, report: str, expected: dict[str, list[int]]) -> None:
    path = project / "reports" / f"{report}.md"
    source = Source.from_bytes(str(path), path.read_bytes())
    found: dict[str, list[int]] = {}
    for one in check(source, Options(Selection(("MB1", "MB2")))):
        # Without the rule that explains the whole row, this one reports its cell.
        if one.code == "MB201":
            continue
        if one.severity is not Severity.INFO or one.code in expected:
            found.setdefault(one.code, []).append(source.line(one.span.start))
    assert found == expected


def test_no_rule_crashes_on_the_corpus_and_few_report(corpus: Path) -> None:
    codes: Counter[str] = Counter()
    for path in sorted(corpus.glob("*.md")):
        source = Source.from_bytes(path.name, path.read_bytes())
        found = check(source, Options(Selection(("MB1", "MB2"))))
        codes.update(one.code for one in found if one.severity is not Severity.INFO)
    assert codes["MB000"] == 0
    assert sum(codes.values()) < 60
