"""The output folder of a run: partitions, which of them are done, and what wrote them.

    part-00000.parquet         rows; the folder as a whole is one dataset
    _files/part-00000.parquet  a row for each file that was read, with what went wrong
    _done/part-00000.json      written last: by what the partition is known, and its counts
    _mdbench.json              what made the folder, and whether it is complete

A partition is done if its mark has the right key and its files have the sizes in the mark.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, NamedTuple

from mdbench.cluster.input_files import Place
from mdbench.cluster.job import Job
from mdbench.files.errors import ProblemError
from mdbench.files.writing import open_output
from mdbench.regex import lazy

_MANIFEST = "_mdbench.json"
_PART = lazy(r"(?:_done/|_files/)?part-\d+\.(?:parquet|json)")
_DIGITS = 5
_AT_ONCE = 16
# Creating a folder could create an unwanted bucket.
_BUCKETS = frozenset("s3 s3a gs gcs abfs abfss az adl oss r2".split())

Counts = Counter[str]
"""How many `files`, `bytes`, `rows` and `errors`, and how many findings of each severity."""


class Store(NamedTuple):
    """A local or remote output folder, with names for a number of partitions."""

    place: Place
    shown: str
    partitions: int

    def prepare(self, job: Job, keys: Sequence[str]) -> dict[int, Counts]:
        """Delete partitions of other runs; return the finished ones with their counts.

        Raises `ProblemError` if the folder contains other files, or another table.
        """
        with self._reporting():
            self._claim(job)
            self.write_manifest(job, {"complete": False})
            listed = self.place.system.find(self.place.path, maxdepth=2, detail=True)
            sizes = {
                name: int(entry["size"])
                for path, entry in listed.items()
                if _PART.fullmatch(name := path.removeprefix(self._path("")))
            }
            done = dict(self._find_done(keys, sizes))
            kept = {name for number in done for name in self._names(number)}
            # Marks first: a partly deleted partition must not look done.
            for name in sorted(sizes.keys() - kept):
                self.place.system.rm_file(self._path(name))
        return done

    def commit(self, number: int, key: str, written: Sequence[bytes], counts: Counts) -> None:
        """Write a partition, then mark it as done."""
        mark, *names = self._names(number)
        contents = dict(zip(names, written, strict=True))
        sizes = {name: len(content) for name, content in contents.items()}
        for name, content in contents.items():
            self._write(name, content)
        self._write_json(mark, {"key": key, "sizes": sizes, "counts": counts})

    def write_manifest(self, job: Job, state: Mapping[str, object]) -> None:
        """Say what made the folder, and whether it is complete."""
        made_by = {"mdbench": job.version, "table": job.table, "settings": job.fingerprint}
        self._write_json(_MANIFEST, {**made_by, "partitions": self.partitions, **state})

    def _path(self, name: str) -> str:
        return f"{self.place.path.rstrip('/')}/{name}"

    def _names(self, number: int) -> tuple[str, str, str]:
        """The mark and the files of a partition; the names sort in the order of the partitions."""
        stem = f"part-{number:0{max(_DIGITS, len(str(self.partitions - 1)))}d}"
        return f"_done/{stem}.json", f"{stem}.parquet", f"_files/{stem}.parquet"

    def _claim(self, job: Job) -> None:
        system, path = self.place
        system.invalidate_cache()
        if not system.exists(path):
            return
        if not system.isdir(path):
            raise ProblemError(f"{self.shown}: is a file; --engine dask writes a folder")
        if system.exists(self._path(_MANIFEST)):
            table = self._read(_MANIFEST).get("table", job.table)
            problem = "" if table == job.table else f"contains {table}, not {job.table}"
        else:
            mine = not system.ls(path, detail=False)
            problem = "" if mine else "is not empty and was not written by --engine dask"
        if problem:
            raise ProblemError(f"{self.shown}: {problem}; choose another folder")

    def _find_done(
        self, keys: Sequence[str], sizes: Mapping[str, int]
    ) -> Iterator[tuple[int, Counts]]:
        marked = [number for number in range(len(keys)) if self._names(number)[0] in sizes]
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            marks = pool.map(self._read, (self._names(number)[0] for number in marked))
        for number, mark in zip(marked, marks, strict=True):
            there = {name: sizes.get(name) for name in self._names(number)[1:]}
            if mark.get("key") == keys[number] and mark.get("sizes") == there:
                yield number, Counter(mark["counts"])

    def _read(self, name: str) -> Mapping[str, Any]:
        """The content of a JSON file; empty if it is incomplete."""
        try:
            stored = json.loads(self.place.system.cat_file(self._path(name)))
        except ValueError:
            return {}
        return stored if isinstance(stored, dict) else {}

    def _write_json(self, name: str, value: object) -> None:
        self._write(name, f"{json.dumps(value, indent=2)}\n".encode())

    def _write(self, name: str, content: bytes) -> None:
        system, path = self.place.system, self._path(name)
        protocols = system.protocol if isinstance(system.protocol, tuple) else (system.protocol,)
        with self._reporting():
            if _BUCKETS.isdisjoint(protocols):
                system.makedirs(path.rpartition("/")[0], exist_ok=True)
            if self.place.is_local:
                with open_output(path) as sink:
                    sink.write(content)
            else:
                # In one call: object stores show a file when it is complete.
                system.pipe_file(path, content)

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        try:
            yield
        except ProblemError:
            raise
        except Exception as error:
            # Each file system raises its own errors.
            why = getattr(error, "strerror", None) or error
            raise ProblemError(f"{self.shown}: cannot be written: {why}") from error
