"""`mdbench completion SHELL`: completion scripts."""

from __future__ import annotations

from typing import Any, NamedTuple

from mdbench.cli.main import make_parser
from mdbench.cli.options import AddParser, Parser, set_run
from mdbench.cli.topics import topics
from mdbench.files.errors import OK
from mdbench.files.writing import open_output
from mdbench.rules.loading import RULES


class CompletionOptions(NamedTuple):
    """The options of `completion`."""

    shell: str


def add_parser(add: AddParser) -> None:
    """Add the command."""
    parser = add(
        "completion",
        summary="print a completion script for a shell",
        description="Print a completion script; `mdbench help completion` says where to put it.",
        examples=(
            'eval "$(mdbench completion bash)"',
            "mdbench completion fish > ~/.config/fish/completions/mdbench.fish",
        ),
    )
    parser.add_argument("shell", choices=("bash", "zsh", "fish", "powershell"), help="the shell")
    set_run(parser, CompletionOptions, run)


def run(options: CompletionOptions) -> int:
    """Print the script."""
    import shtab  # noqa: PLC0415 - make_parser imports this module, for the help of every command

    from mdbench.cli.powershell import write_script  # noqa: PLC0415

    parser = make_parser()
    _add_values(parser, {"file": shtab.FILE, "folder": shtab.DIRECTORY})
    if options.shell == "powershell":
        script = write_script(parser)
    else:
        script = shtab.complete(parser, shell=options.shell)
    with open_output(None) as sink:
        sink.write(script.encode())
    return OK


def _add_values(parser: Parser, completers: dict[str, Any]) -> None:
    """Say which values an argument may have, by its placeholder in the help."""
    codes = tuple(RULES)
    words = {
        "CODE": (*codes, *(one.name for one in RULES.values())),
        "CODES": (*dict.fromkeys(code[:3] for code in codes), *codes),
        "TOPIC": (*topics(), *parser.commands, *codes),
    }
    kinds = {
        **dict.fromkeys(("FILE", "NAME_OR_FILE", "PATH", "VERSION"), completers["file"]),
        "FOLDER": completers["folder"],
    }
    for command in parser.commands.values():
        command.description = command.summary
        for argument in command.arguments:
            if argument.metavar in words:
                argument.choices = words[argument.metavar]
            elif argument.metavar in kinds:
                argument.complete = kinds[argument.metavar]  # type: ignore[attr-defined]
