"""Minimal texts that a fuzzer has found, each with the law that it broke."""

from __future__ import annotations

import pytest

from tests.fuzz.trial import LAWS, put_to

_RUN = "Node|DP|MP|PP||GBS|Sec/it|TOPs|hiddensize|||\n-|-|-|-|-|-|-|-|-|-|-\n"
_STEP = "||||DP|MP|PP||GBS|||Sec|TFLOP|||\n-:|\n"
_TIMED = "-|-|-\na|2.79ms|2.41ms\nb|14.81ms|10.95ms\nc|8.91ms|-"
FOUND = {
    "one row many times, with nothing in a cell": (
        "fixes",
        "Model|Note|Tokens/s\n-|-|-\nb||65.25\n" + "a||42.68\n" * 24,
    ),
    "a batch of nothing": ("lint", f"--layer 4 SequenceLength=8\n{_RUN}8|4|4|8||0|5|8|6"),
    "a batch below nothing": ("lint", "DP|MBS|GBS\n-|-|-\n4|1|8\n4|1|16\n4|1|-1"),
    "a number in a header that is beyond all numbers": (
        "lint",
        f"Chip|A {'9' * 400}|TFLOPs\n-|-|-\na|23|44\nb|25|40\nc|4|9\nd||.4",
    ),
    "no nodes at all": ("lint", f"--layer 4 SequenceLength=8\n{_RUN}0|4|4|8||6|5|8|6"),
    "a model without a size": ("lint", f"--layer 4 SequenceLength=0\n{_RUN}8|4|4|8||6|5|8|0"),
    "a comment between two words": (
        "fixes",
        "e||Average <!--mdbench:ignore MB1-->E|||\n-|-|-|-|-",
    ),
    "a comment within a word": (
        "fixes",
        "## torc<!-- mdbench: ignore MB301 -->h.compile\n\nNodes|Tokens/s\n-|-\n1|2\n2|4",
    ),
    "a finding at the name of a model": (
        "additions",
        "# 7b\n|||||||||||||\n-|-|-|-|-|-|-|-|-|-|-|-\n(||||||||||||Llama",
    ),
    "a finding at one of the remarks that most numbers have": (
        "additions",
        "token/s|-6B||T\n-|-|-|-\ng|2(sk)\np|1(sk)\ne|6(sk)\nc|4(pu",
    ),
    "a large number beside a word": ("no crash", "--||||\n-|-|-|-\n硬件|1e30 "),
    "a large number in a column without a name": ("no crash", "|||||||\n-|\n|||1e30 |||3"),
    "a network of no width": (
        "no crash",
        f"--numlayers 8\n--hiddensize 0 sequenceLength=8\n{_STEP}||||1|1|8||6|||8|5||/",
    ),
    "a size beyond all bytes": ("no crash", "Size|||||||\n-|-|-|-|-|-|-\n1e57"),
    "replicas of no slices": ("no crash", "MP|PP|DP|GPUs\n-|-|-|-\n0|1|16|8"),
    "a missing value below a header that is no name": (
        "rendering",
        f"Model|Latency|0.819s\n{_TIMED}",
    ),
    "a missing value below a name and a number": (
        "rendering",
        f"模型|FP16推理时延|INT8推理时延 -0\n{_TIMED}",
    ),
    "a large number under seconds": ("no crash", "s|||||||||||\n-|\n6|||5e38|||||||/"),
}


@pytest.mark.parametrize(("law", "text"), FOUND.values(), ids=FOUND)
def test_no_law_is_broken_again(law: str, text: str) -> None:
    put_to(text.encode(), (law, *LAWS))
