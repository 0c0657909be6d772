"""Damage reports until stopped: `python -m tests.fuzz.endless [--seconds S] [--count N] [--every K]`.

Every report is linted, which must neither crash nor hang, and each of `K` (by default, all) is put
to all laws. The others are small, so that a million take less than two hours. A seed that breaks a
law is printed with the error; its text is stored in build/fuzz.
"""

from __future__ import annotations

import sys
import time
import traceback
from argparse import ArgumentParser
from collections.abc import Callable
from itertools import count
from random import Random, SystemRandom

from mdbench.source import Source, SourceError
from tests.fuzz.mutations import PROJECT, mutate, mutate_piece
from tests.fuzz.trial import LAWS, LINTS, put_to

KEPT = PROJECT / "build" / "fuzz"
"""The folder for texts that broke a law, and for those that reached new code."""

_TELL_EVERY = 1000


class Hunt:
    """Damaged reports that were tried, from one seed on."""

    def __init__(self, tell: Callable[[str], None], every: int) -> None:
        self._tell = tell
        self._every = every
        self._first = SystemRandom().randrange(1 << 40)
        self._tried = self._texts = self._all_laws = 0
        self.broken = 0

    def run(self, seconds: float, most: float) -> None:
        """Try seeds for this long, or this many."""
        KEPT.mkdir(parents=True, exist_ok=True)
        until = time.monotonic() + seconds
        try:
            for seed in count(self._first):
                if self._tried >= most or time.monotonic() > until:
                    break
                self._try(seed)
                if self._tried % _TELL_EVERY == 0:
                    self._tell(self.summary())
        except KeyboardInterrupt:
            pass
        self._tell(self.summary())

    def _try(self, seed: int) -> None:
        self._tried += 1
        thorough = self._tried % self._every == 0
        data = (mutate if thorough else mutate_piece)(Random(seed))
        self._all_laws += thorough
        self._texts += _is_text(data)
        try:
            put_to(data, LAWS if thorough else (LINTS,))
        except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
            self.broken += 1
            (KEPT / f"seed-{seed}.md").write_bytes(data)
            self._tell(f"seed {seed}:\n{traceback.format_exc()}")

    def summary(self) -> str:
        """What was tried so far."""
        return (
            f"{self._tried} damaged reports from seed {self._first} on, {self._texts} of them text; "
            f"{self._all_laws} were put to all laws; {self.broken} broke a law"
        )


def _is_text(data: bytes) -> bool:
    try:
        Source.from_bytes("report.md", data)
    except SourceError:
        return False
    return True


def main() -> int:
    """Run the command; it ends with 1 if a law was broken."""
    parser = ArgumentParser(prog="python -m tests.fuzz.endless", description=__doc__)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--count", type=float, default=float("inf"))
    parser.add_argument("--every", type=int, default=1, help="put each of these to all laws")
    asked = parser.parse_args()
    hunt = Hunt(lambda text: print(text, flush=True), asked.every)  # noqa: T201
    hunt.run(asked.seconds, asked.count)
    return bool(hunt.broken)


if __name__ == "__main__":
    sys.exit(main())
