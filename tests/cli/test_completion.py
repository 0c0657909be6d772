"""Completion as it is used: the scripts loaded into real shells, a line typed, TAB pressed."""

from __future__ import annotations

import os
import re
import select
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mdbench.cli.main import main, make_parser
from tests.conftest import Run

pytest.importorskip("pty", reason="needs a system with terminals of its own")

WAIT_S = 60.0
PAUSE_S, LONG_PAUSE_S = 0.3, 5.0
READY, ENTERED = "READY>", "ENTERED:"

# How each shell is started, and what it is told: mdbench is a function that shows its arguments.
SHELLS = {
    "bash": (
        ("bash", "--norc", "--noprofile", "-i"),
        f"""
        bind 'set enable-bracketed-paste off'
        mdbench() {{ printf '{ENTERED}%s;\\n' "$*"; }}
        source ./completion
        PS1='{READY}'
        """,
    ),
    "zsh": (
        ("zsh", "-f", "-i"),
        f"""
        unset zle_bracketed_paste
        mdbench() {{ print -r -- "{ENTERED}$*;" }}
        autoload -U compinit && compinit -u -D
        eval "$(<./completion)"
        PS1='{READY}'
        """,
    ),
}

Complete = Callable[[str, str, str], str]


class Shell:
    """A shell on a terminal, in which lines are typed."""

    def __init__(self, command: tuple[str, ...], folder: Path) -> None:
        # A process of its own for the terminal: one with threads, as this may be, must not fork.
        spawn = "import pty, sys; pty.spawn(sys.argv[1:])"
        environment = {**os.environ, "TERM": "dumb", "HISTFILE": os.devnull, "HOME": str(folder)}
        self.process = subprocess.Popen(
            [sys.executable, "-c", spawn, *command],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        )
        self._left = ""
        self._type("source ./told\n")
        self._read_until(READY)

    def enter(self, line: str, pause_s: float) -> str:
        """Type a line, press TAB and ENTER, and see what is entered."""
        self._type(f"{line}\t")
        # A TAB that lists nothing leaves no trace to wait for.
        time.sleep(pause_s)
        self._type("\n")
        shown = self._read_until(";\r\n")
        self._read_until(READY)
        return shown.partition(ENTERED)[2].partition(";\r\n")[0]

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()

    def _type(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text.encode())

    def _read_until(self, mark: str) -> str:
        assert self.process.stdout is not None
        output = self.process.stdout.fileno()
        shown = self._left
        deadline = time.monotonic() + WAIT_S
        while mark not in shown:
            ready, _, _ = select.select([output], [], [], max(0.0, deadline - time.monotonic()))
            piece = os.read(output, 4096).decode("utf-8", "replace") if ready else ""
            assert piece, f"waited in vain for {mark!r}: {shown!r}"
            shown += piece
        before, _, self._left = shown.partition(mark)
        return before + mark


@pytest.fixture(scope="module")
def shells() -> Iterator[dict[str, Shell]]:
    """The shells that are open, each started once for all lines."""
    opened: dict[str, Shell] = {}
    yield opened
    for shell in opened.values():
        shell.close()


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which lines are typed."""
    folder = tmp_path_factory.mktemp("desk")
    (folder / "reports of May").mkdir()
    (folder / "zebra.md").touch()
    return folder


@pytest.fixture
def complete(desk: Path, shells: dict[str, Shell], capsys: pytest.CaptureFixture[str]) -> Complete:
    """What a line becomes if TAB is pressed behind it; waited for longer if it is not as expected.

    Nothing tells when a shell is done with a TAB, and a busy machine may take its time.
    """

    def open_shell(shell: str) -> Shell:
        command, told = SHELLS[shell]
        (desk / "told").write_text(told, encoding="utf-8")
        return Shell(command, desk)

    def press_tab(shell: str, line: str, expected: str) -> str:
        if shutil.which(shell) is None:
            pytest.skip(f"{shell} is not installed")
        script = desk / "completion"
        assert main(["completion", shell]) == 0
        script.write_text(capsys.readouterr().out, encoding="utf-8")
        if shell == "fish":
            return ask_fish(script, line).rstrip(" /")
        if shell not in shells:
            shells[shell] = open_shell(shell)
        shown = shells[shell].enter(line, PAUSE_S)
        # Some shells take the slash behind a folder away again.
        if shown.rstrip(" /") != expected:
            shells.pop(shell).close()
            shells[shell] = open_shell(shell)
            shown = shells[shell].enter(line, LONG_PAUSE_S)
        return shown.rstrip(" /")

    return press_tab


def ask_fish(script: Path, line: str) -> str:
    """fish says by itself what it would offer; the line with it if there is one offer only."""
    code = f"source {script}; complete -C {line!r}"
    done = subprocess.run(
        ["fish", "--no-config", "-c", code],
        cwd=script.parent,
        env={**os.environ, "HOME": str(script.parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    offers = [offer.partition("\t")[0] for offer in done.stdout.splitlines()]
    typed = line.removeprefix("mdbench ")
    if len(offers) != 1:
        return typed
    head = typed.rpartition(" ")[0]
    return " ".join(shlex.split(f"{head} {offers[0]}"))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        pytest.param("norm", "normalize", id="a command"),
        pytest.param("--quiet norm", "--quiet normalize", id="a command behind an option"),
        pytest.param("lint --stat", "lint --statistics", id="an option"),
        pytest.param("lint --format sa", "lint --format sarif", id="a value"),
        pytest.param("normalize --format pa", "normalize --format parquet", id="of its command"),
        pytest.param("lint --select MB90", "lint --select MB901", id="a code"),
        pytest.param("explain shifted", "explain shifted-row", id="the name of a rule"),
        pytest.param("help suppr", "help suppression", id="a topic"),
        pytest.param("help norm", "help normalize", id="a command as a topic"),
        pytest.param("completion f", "completion fish", id="a shell"),
        pytest.param("lint zeb", "lint zebra.md", id="a file"),
        pytest.param("lint -o zeb", "lint -o zebra.md", id="a file behind an option"),
        pytest.param("lint rep", "lint reports of May", id="a folder with blanks"),
        pytest.param("lint --jobs zeb", "lint --jobs zeb", id="no file where a number stands"),
        pytest.param("explain zeb", "explain zeb", id="no file where a code stands"),
    ],
)
def test_a_line_is_completed(complete: Complete, shell: str, typed: str, completed: str) -> None:
    assert complete(shell, f"mdbench {typed}", completed) == completed


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_command_and_option_is_in_the_script(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "Traceback" not in script
    for word in ("lint", "normalize", "render", "unsafe-fixes", "fail-on", "stdin-filename"):
        assert word in script


def test_the_scripts_ask_nobody(tmp_path: Path) -> None:
    """Completing starts no Python: a keystroke must not wait for it."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed")
    script = subprocess.run(
        [sys.executable, "-m", "mdbench", "completion", "bash"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    ask = "COMP_WORDS=(mdbench li); COMP_CWORD=1; _shtab_mdbench; echo ${COMPREPLY[@]}"
    done = subprocess.run(
        [bash, "--norc", "-c", f"{script}\n{ask}"],
        cwd=tmp_path,
        env={"PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("lint\n", "")


def test_powershell_gets_commands_options_and_values(run: Run) -> None:
    script = run("completion", "powershell").out
    assert script.startswith("Register-ArgumentCompleter -Native -CommandName mdbench")
    assert script.count("{") == script.count("}")
    assert script.count("(") == script.count(")")
    tables = script.split("$values = ")
    rows = (re.findall(r"^        '([^']*)' = @\((.*)\)$", one, re.MULTILINE) for one in tables)
    listed, values = map(dict, rows)
    for name, command in make_parser().commands.items():
        assert f"'{name}'" in script.partition("$options")[0]
        options = [option for one in command.arguments for option in one.option_strings]
        assert all(f"'{option}'" in listed[name] for option in options)
    assert "'json'" in values["lint --format"]
    assert "'MB301'" in values["lint --select"]
    assert "'powershell'" in values["completion"]
