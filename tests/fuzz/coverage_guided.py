"""Search for texts that reach new code, and check every law on them.

`python -m tests.fuzz.coverage_guided [SECONDS] [OPTION OF LIBFUZZER…]` runs until a law is broken
or the time is up. It needs atheris, which is not available for every Python.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pkgutil import walk_packages
from random import Random
from typing import Any

from tests.fuzz.mutations import PROJECT

_KEPT = PROJECT / "build" / "fuzz"
_MOST_BYTES = 4_096
_LAWS = ("document", "lint", "rows", "formats", "fixes", "rendering", "additions")
# They import optional packages, and do not read texts.
_LEFT_OUT = ("mdbench.lsp", "mdbench.cluster", "mdbench.__main__")


def guide(atheris: Any, seconds: int, options: list[str]) -> None:
    """Let libFuzzer choose the texts; it ends the process."""
    with atheris.instrument_imports(include=["mdbench"]):
        for module in walk_packages(import_module("mdbench").__path__, "mdbench."):
            if not module.name.startswith(_LEFT_OUT):
                import_module(module.name)
    # Imported only now: they import mdbench, whose branches must all be instrumented.
    from tests.fuzz.mutations import MUTATIONS, mutate, samples  # noqa: PLC0415
    from tests.fuzz.trial import put_to  # noqa: PLC0415

    def try_one(data: bytes) -> None:
        put_to(data.replace(b"\0", b""), _LAWS)

    def change(data: bytes, most: int, seed: int) -> bytes:
        random = Random(seed)
        if random.random() < 0.5:
            return bytes(atheris.Mutate(data, most))
        return random.choice(MUTATIONS)(data, random, samples())[:most]

    corpus = _KEPT / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for seed in range(200):
        (corpus / f"seed-{seed}").write_bytes(mutate(Random(seed))[:_MOST_BYTES])
    arguments = [f"-max_len={_MOST_BYTES}", f"-max_total_time={seconds}", "-timeout=120"]
    places = [f"-artifact_prefix={_KEPT}/", str(corpus)]
    atheris.Setup([sys.argv[0], *arguments, *options, *places], try_one, custom_mutator=change)
    atheris.Fuzz()


if __name__ == "__main__":
    if find_spec("atheris") is None:
        print("atheris is not installed: no texts are chosen by the code that they reach")  # noqa: T201
    else:
        limit, *others = sys.argv[1:] or ["0"]
        guide(import_module("atheris"), int(limit), others)
