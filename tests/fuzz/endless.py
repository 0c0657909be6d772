"""Damage reports until stopped: `python -m tests.fuzz.endless [SECONDS [EVERY]]`.

Every report is linted, which must neither crash nor hang, and each of `EVERY` (by default, all) is
put to all laws. A seed that breaks one is printed with the error; its text is stored in build/fuzz.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable
from itertools import count
from random import Random, SystemRandom

from tests.fuzz.mutations import PROJECT, mutate
from tests.fuzz.trial import LAWS, LINTS, put_to

KEPT = PROJECT / "build" / "fuzz"
"""The folder for texts that broke a law, and for those that reached new code."""


_TELL_EVERY = 1000


def hunt(seconds: float, tell: Callable[[str], None], every: int = 1) -> int:
    """Try seeds for this long, starting with a new one; return how many broke a law."""
    KEPT.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + seconds
    first = SystemRandom().randrange(1 << 40)
    broken = tried = 0
    for seed in count(first):
        if time.monotonic() > until:
            break
        tried += 1
        data = mutate(Random(seed))
        try:
            put_to(data, (LINTS,) if tried % every else LAWS)
        except KeyboardInterrupt:
            break
        except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
            broken += 1
            (KEPT / f"seed-{seed}.md").write_bytes(data)
            tell(f"seed {seed}:\n{traceback.format_exc()}")
        if tried % _TELL_EVERY == 0:
            tell(f"{tried} damaged reports tried, {broken} broke a law")
    tell(f"{tried} damaged reports tried from seed {first} on, {broken} broke a law")
    return broken


if __name__ == "__main__":
    limit = float(sys.argv[1]) if sys.argv[1:] else float("inf")
    share = int(sys.argv[2]) if sys.argv[2:] else 1
    sys.exit(bool(hunt(limit, lambda text: print(text, flush=True), share)))  # noqa: T201
