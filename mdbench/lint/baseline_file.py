"""The file of a baseline: JSON with a line for each finding, in an order that does not change."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from mdbench.errors import ProblemError
from mdbench.lint.baseline import Baseline, Entries
from mdbench.lint.results import Entry

_VERSION = 1
_KEYS = frozenset(("code", "section", "row", "cells", "count"))


def read_baseline(file: str) -> Baseline:
    """The baseline in a file; `ProblemError` says why it is none."""
    try:
        with open(file, encoding="utf-8") as opened:
            content = json.load(opened)
    except OSError as error:
        raise ProblemError(f"{file}: cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise _broken(file, "it is not JSON") from error
    if not isinstance(content, dict) or content.get("version") != _VERSION:
        raise _broken(file, f"its version is not {_VERSION}")
    try:
        return Baseline(file, dict(_read_files(content["findings"])))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise _broken(file, "an entry in it cannot be understood") from error


def _broken(file: str, why: str) -> ProblemError:
    return ProblemError(f"{file}: is no baseline: {why}; remove it, or write it anew")


def _read_files(files: Mapping[str, Any]) -> Iterator[tuple[str, Counter[Entry]]]:
    for path, listed in files.items():
        entries: Counter[Entry] = Counter()
        for one in listed:
            count = one.get("count", 1)
            texts = [one["code"], *(one.get(key, "") for key in ("section", "row", "cells"))]
            valid = one.keys() <= _KEYS and all(isinstance(text, str) for text in texts)
            if not valid or not isinstance(count, int) or count < 1:
                raise ValueError
            entries[Entry(*texts)] += count
        yield path, entries


def write_baseline(entries: Entries) -> Iterator[str]:
    """The text of the file."""
    yield f'{{\n  "version": {_VERSION},\n  "findings": {{'
    for at, path in enumerate(sorted(entries)):
        yield f"{',' if at else ''}\n    {_dump(path)}: ["
        for place, (entry, count) in enumerate(sorted(entries[path].items())):
            said = {key: text for key, text in entry._asdict().items() if text}
            line = _dump({**said, "count": count} if count > 1 else said)
            yield f"{',' if place else ''}\n      {line}"
        yield "\n    ]"
    yield "\n  }\n}\n" if entries else "}\n}\n"


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace").decode()
