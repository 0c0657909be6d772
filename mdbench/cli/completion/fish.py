"""The script for fish."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mdbench.cli.completion.tree import Option, Tree, Value

_HEAD = """\
# fish completion for mdbench: mdbench completion fish > ~/.config/fish/completions/mdbench.fish
function __mdbench_is --description 'Whether this is the command of the line'
    for word in (commandline -opc)[2..-1]
        if not string match -q -- '-*' $word
            test "$word" = "$argv[1]"
            return
        end
    end
    test -z "$argv[1]"
end
complete -c mdbench -f"""


def write_fish(tree: Tree) -> str:
    """Everything that fish needs."""
    lines = [_HEAD, *_list_options("", tree.options)]
    for command in tree.commands:
        lines.append(f"{_when('')} -a {command.name} -d {_quote(command.summary)}")
        lines += _list_options(command.name, command.options)
        if command.operand is not None:
            lines.append(f"{_when(command.name)}{_offer(command.operand)}")
    return "\n".join((*lines, ""))


def _list_options(command: str, options: Iterable[Option]) -> Iterator[str]:
    for option in options:
        names = " ".join(
            f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names
        )
        value = ""
        if option.value is not None:
            offered = _offer(option.value)
            value = f" -r{offered}" if option.value.files else f" -x{offered}"
        yield f"{_when(command)} {names}{value} -d {_quote(option.summary)}"


def _when(command: str) -> str:
    return f"complete -c mdbench -n '__mdbench_is {command}'"


def _offer(value: Value) -> str:
    if value.words:
        return f" -a {_quote(' '.join(value.words))}"
    if value.files:
        return " -F"
    return " -a '(__fish_complete_directories)'" if value.folders else ""


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
