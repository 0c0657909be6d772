"""The output folder of a run: partitions, which of them are done, and what wrote them.

    part-00000.parquet         rows; the folder as a whole is one dataset
    _files/part-00000.parquet  a row for each file that was read, with what went wrong
    _done/part-00000.json      written last: by what the partition is known, and its counts
    _mdbench.json              what made the folder, and whether it is complete

A partition is done if its mark has the right key and its files have the sizes in the mark.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from mdbench.cluster.addresses import Place, find_place, read_all
from mdbench.cluster.counts import Counts
from mdbench.cluster.job import Job
from mdbench.files.errors import ProblemError
from mdbench.files.writing import open_output
from mdbench.regex import lazy

_FILES, _DONE, _MANIFEST = "_files", "_done", "_mdbench.json"
_PART = lazy(r"(?P<stem>part-\d+)\.(?:parquet|json)")
_DIGITS = 5


class Store(NamedTuple):
    """A local or remote output folder, with names for a number of partitions."""

    place: Place
    shown: str
    partitions: int

    @classmethod
    def open(cls, address: str, partitions: int) -> Store:
        """The folder at an address, which may not exist yet."""
        return cls(find_place(address), address, partitions)

    def stem(self, number: int) -> str:
        """The name of a partition; the names sort in order."""
        return f"part-{number:0{max(_DIGITS, len(str(self.partitions - 1)))}d}"

    def prepare(self, job: Job, keys: Sequence[str]) -> dict[int, Counts]:
        """Delete partitions of other runs; return the finished ones with their counts.

        Raises `ProblemError` if the folder contains other files, or another table.
        """
        with self._reporting():
            self._claim(job)
            self.write_manifest(job, complete=False)
            sizes = self._list()
            done = dict(self._find_done(keys, sizes))
            kept = {self.stem(number) for number in done}
            self._drop(name for name in sizes if _stem(name) not in kept)
        return done

    def commit(self, number: int, key: str, rows: bytes, files: bytes, counts: Counts) -> None:
        """Write a partition, then mark it as done."""
        stem = self.stem(number)
        sizes = {"rows": len(rows), "files": len(files)}
        mark = {"key": key, "sizes": sizes, "counts": counts.to_object()}
        with self._reporting():
            self._write(rows, f"{stem}.parquet")
            self._write(files, _FILES, f"{stem}.parquet")
            self._write(_to_json(mark), _DONE, f"{stem}.json")

    def write_manifest(self, job: Job, *, complete: bool, counts: Counts | None = None) -> None:
        """Say what made the folder, and whether it is complete."""
        stored = {
            "mdbench": job.version,
            "table": job.table.value,
            "settings": job.fingerprint,
            "partitions": self.partitions,
            "complete": complete,
        }
        if counts is not None:
            stored |= counts.to_object()
        with self._reporting():
            self._write(_to_json(stored), _MANIFEST)

    def _claim(self, job: Job) -> None:
        system, path = self.place
        system.invalidate_cache()
        if not system.exists(path):
            return
        if not system.isdir(path):
            raise ProblemError(f"{self.shown}: is a file; --engine dask writes a folder")
        manifest = self._read_manifest()
        if manifest is None:
            if any(True for _ in system.ls(path, detail=False)):
                raise ProblemError(
                    f"{self.shown}: is not empty and was not written by --engine dask; "
                    "choose another folder"
                )
        elif manifest.get("table", job.table.value) != job.table.value:
            raise ProblemError(
                f"{self.shown}: contains {manifest.get('table')}, not {job.table.value}; "
                "choose another folder"
            )

    def _read_manifest(self) -> Mapping[str, Any] | None:
        try:
            return _from_json(self.place.system.cat_file(self.place.under(_MANIFEST).path))
        except FileNotFoundError:
            return None

    def _list(self) -> dict[str, int]:
        """The existing files of partitions, by relative path, with their sizes."""
        found: dict[str, int] = {}
        for folder in ((), (_FILES,), (_DONE,)):
            place = self.place.under(*folder)
            if not place.system.isdir(place.path):
                continue
            for entry in place.system.ls(place.path, detail=True):
                name = str(entry["name"]).rstrip("/").rpartition("/")[2]
                if _PART.fullmatch(name) and entry["type"] == "file":
                    found["/".join((*folder, name))] = int(entry["size"])
        return found

    def _find_done(
        self, keys: Sequence[str], sizes: Mapping[str, int]
    ) -> Iterator[tuple[int, Counts]]:
        marks = {
            number: self.place.under(name)
            for number in range(len(keys))
            if (name := f"{_DONE}/{self.stem(number)}.json") in sizes
        }
        for number, read in zip(marks, read_all(marks.values()), strict=True):
            mark, stem = _from_json(read), self.stem(number)
            there = {
                "rows": sizes.get(f"{stem}.parquet"),
                "files": sizes.get(f"{_FILES}/{stem}.parquet"),
            }
            if mark.get("key") == keys[number] and mark.get("sizes") == there:
                yield number, Counts.from_object(mark["counts"])

    def _drop(self, names: Iterable[str]) -> None:
        # Delete marks first: a partly deleted partition must not look done.
        for name in sorted(names, key=lambda name: (not name.startswith(_DONE), name)):
            self.place.system.rm_file(self.place.under(name).path)

    def _write(self, content: bytes, *names: str) -> None:
        target = self.place.under(*names)
        if target.has_folders:
            target.system.makedirs(target.path.rpartition("/")[0], exist_ok=True)
        if target.is_local:
            with open_output(target.path) as sink:
                sink.write(content)
        else:
            # In one call: an object store shows a file when it is complete, and the mark comes
            # last.
            target.system.pipe_file(target.path, content)

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        try:
            yield
        except ProblemError:
            raise
        except OSError as error:
            message = f"{self.shown}: cannot be written: {error.strerror or error}"
            raise ProblemError(message) from error
        except Exception as error:
            # Each file system raises its own errors.
            raise ProblemError(f"{self.shown}: cannot be written: {error}") from error


def _stem(name: str) -> str:
    return name.rpartition("/")[2].partition(".")[0]


def _to_json(value: object) -> bytes:
    return f"{json.dumps(value, indent=2)}\n".encode()


def _from_json(content: bytes) -> Mapping[str, Any]:
    """The content of a JSON file; empty if it is incomplete."""
    try:
        stored = json.loads(content)
    except ValueError:
        return {}
    return stored if isinstance(stored, dict) else {}
