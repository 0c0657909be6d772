"""A file is written whole or not at all, and stays what it was in all but content."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from mdbench.files.errors import ProblemError
from mdbench.files.writing import open_output


def write(path: Path, content: bytes = b"new") -> None:
    with open_output(str(path)) as sink:
        sink.write(content)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        write(tmp_path / "out")
    finally:
        os.umask(old)
    assert (tmp_path / "out").read_bytes() == b"new"
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o640


@pytest.mark.parametrize("mode", [0o600, 0o664, 0o755])
def test_a_replaced_file_keeps_its_permissions(tmp_path: Path, mode: int) -> None:
    out = tmp_path / "out"
    out.write_bytes(b"old")
    out.chmod(mode)
    write(out)
    assert out.read_bytes() == b"new"
    assert stat.S_IMODE(out.stat().st_mode) == mode


def test_a_link_stays_a_link_and_its_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    target = tmp_path / "elsewhere" / "target"
    target.write_bytes(b"old")
    (tmp_path / "out").symlink_to("elsewhere/target")
    write(tmp_path / "out")
    assert (tmp_path / "out").is_symlink()
    assert target.read_bytes() == b"new"
    assert names(tmp_path / "elsewhere") == ["target"]


def test_a_link_to_nothing_yet_gets_its_target(tmp_path: Path) -> None:
    (tmp_path / "out").symlink_to("target")
    write(tmp_path / "out")
    assert names(tmp_path) == ["out", "target"]
    assert (tmp_path / "target").read_bytes() == b"new"


def crash_in_the_middle(path: Path, crash: type[BaseException]) -> None:
    with open_output(str(path)) as sink:
        sink.write(b"half of it")
        sink.flush()
        raise crash


@pytest.mark.parametrize("crash", [RuntimeError, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("old", [[], ["out"]], ids=["new file", "old file"])
def test_a_crash_in_the_middle_leaves_all_as_it_was(
    tmp_path: Path, old: list[str], crash: type[BaseException]
) -> None:
    for name in old:
        (tmp_path / name).write_bytes(b"old")
    with pytest.raises(crash):
        crash_in_the_middle(tmp_path / "out", crash)
    assert {name: (tmp_path / name).read_bytes() for name in names(tmp_path)} == dict.fromkeys(
        old, b"old"
    )


def test_the_old_file_is_there_until_all_is_written(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_bytes(b"old")
    with open_output(str(out)) as sink:
        sink.write(b"new")
        sink.flush()
        assert out.read_bytes() == b"old"
    assert out.read_bytes() == b"new"


def test_two_at_once_do_not_mix(tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    with open_output(out) as first, open_output(out) as second:
        first.write(b"first")
        second.write(b"second")
    assert (tmp_path / "out").read_bytes() == b"first"
    assert names(tmp_path) == ["out"]


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="gone/out: cannot be written: No such file"):
        write(tmp_path / "gone" / "out")


def test_a_write_that_fails_in_the_middle_is_named_and_leaves_nothing(tmp_path: Path) -> None:
    with (
        pytest.raises(ProblemError, match="out: cannot be written: No space left"),
        open_output(str(tmp_path / "out")),
    ):
        raise OSError(28, "No space left on device")
    assert names(tmp_path) == []


@pytest.mark.unix
@pytest.mark.skipif(
    hasattr(os, "geteuid") and os.geteuid() == 0, reason="nothing is protected from root"
)
def test_a_protected_file_is_not_replaced(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_bytes(b"old")
    out.chmod(0o400)
    with pytest.raises(ProblemError, match="Permission denied"):
        write(out)
    assert out.read_bytes() == b"old"


@pytest.mark.unix
def test_a_pipe_is_written_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received: list[bytes] = []
    reading = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reading.start()
    write(pipe)
    reading.join()
    assert received == [b"new"]
    assert pipe.is_fifo()
