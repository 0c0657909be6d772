"""Generated reports no two of which share a table, for benchmarks of many files.

Numbers are drawn anew for each table. The kinds of tables, the words, the order of the parts and
the text between them vary. One report in four has a mistake.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

from benchmarks.invented import invent_table

_WORDS = {
    "Case": ("Case", "Run", "Name", "Configuration", "Variant", "Benchmark"),
    "case": ("case", "run", "job", "v", "build", "node"),
    "Time (s)": ("Time (s)", "Runtime (s)", "Wall time (s)", "Elapsed (s)"),
    "Before (ms)": ("Before (ms)", "Baseline (ms)", "Original (ms)"),
    "After (ms)": ("After (ms)", "Optimized (ms)", "New (ms)"),
    "GBS": ("GBS", "Batch size", "Global batch size"),
    "Sec/it": ("Sec/it", "s/step", "Step time (s)", "Iteration time (s)"),
    "Total": ("Total", "Sum"),
    "Alpha": ("Alpha", "Reads", "Left", "First"),
    "Beta": ("Beta", "Writes", "Right", "Second"),
}
_SUBJECTS = ("Training", "Inference", "Compression", "Sorting", "Startup", "Indexing", "Parsing")
_KINDS = ("throughput", "latency", "scaling", "ablation", "comparison", "overview")
_DEVICES = ("A100", "H100", "V100", "L4", "EPYC 7763", "Graviton3")
_SENTENCES = (
    "All runs used {0} threads on {1} and were repeated {2} times.",
    "We measured on {1} with a batch size of {0}; the first {2} iterations are left out.",
    "The data set has {0} files of {2} MB. See the [setup](#setup) for `{1}`.",
    "Numbers are the median of {2} runs. The machine has {0} GB of memory and one {1}.",
)
_LIST = "- model size: {0}B\n- sequence length: {1}\n- seed: {2}\n"
_FENCE = "```sh\npython bench.py --batch-size {0} --seq-len {1} --seed {2}\n```\n"


def write_reports(folder: Path, count: int, seed: int = 1) -> None:
    """Write so many reports into a folder and its subfolders."""
    draw = Random(seed)
    seen: set[str] = set()
    for number in range(count):
        path = folder / f"{number // 100:02}" / f"{number:05}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(_parts(draw, seen)), encoding="utf-8")


def _parts(draw: Random, seen: set[str]) -> Iterator[str]:
    wrong = draw.random() < 0.25
    yield f"# {draw.choice(_SUBJECTS)} {draw.choice(_KINDS)}\n"
    yield _sentence(draw)
    for number in range(draw.randint(1, 4)):
        yield f"## {draw.choice(_SUBJECTS)}, {draw.choice(_KINDS)} on {draw.choice(_DEVICES)}\n"
        settings = [2 ** draw.randint(0, 6), 2 ** draw.randint(7, 13), draw.randint(1, 9999)]
        texts = [_sentence(draw), _LIST.format(*settings), _FENCE.format(*settings)]
        yield from draw.sample(texts, draw.randint(1, 3))
        yield _table(draw, seen, mistakes=int(wrong and not number))
        if draw.random() < 0.5:
            yield _sentence(draw)


def _sentence(draw: Random) -> str:
    sentence = draw.choice(_SENTENCES)
    return sentence.format(draw.randint(2, 512), draw.choice(_DEVICES), draw.randint(3, 50)) + "\n"


def _table(draw: Random, seen: set[str], mistakes: int) -> str:
    """A table that none of the others is equal to."""
    while True:
        text = invent_table(draw, mistakes).text
        for word, choices in _WORDS.items():
            text = re.sub(rf"(?<=\| ){re.escape(word)}(?= )", draw.choice(choices), text)
        if text not in seen:
            seen.add(text)
            return text
