"""The script for zsh."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mdbench.cli.completion.tree import Option, Tree, Value

_HEAD = """\
#compdef mdbench
# zsh completion for mdbench: in a folder of $fpath as _mdbench, or eval "$(mdbench completion zsh)"
_mdbench() {
    local context state state_descr line
    typeset -A opt_args
    local -a commands
    commands=("""
_CHOOSE = """\
        '1:command:->command' \\
        '*::argument:->argument'
    case $state in
    command)
        _describe -t commands command commands
        ;;
    argument)
        case $words[1] in"""
_TAIL = """\
        esac
        ;;
    esac
}
if [[ $funcstack[1] == _mdbench ]]; then
    _mdbench "$@"
else
    compdef _mdbench mdbench
fi
"""


def write_zsh(tree: Tree) -> str:
    """Everything that zsh needs."""
    lines = [_HEAD]
    for command in tree.commands:
        described = f"{command.name}:{_escape(command.summary, ':')}"
        lines.append(f"        {_quote(described)}")
    lines += ("    )", "    _arguments -C \\", *_continue(_specify(tree.options)), _CHOOSE)
    for command in tree.commands:
        specs = [*_specify(command.options), *_operand(command.operand)]
        lines += (f"        {command.name})", "            _arguments -s \\")
        lines += (f"        {line}" for line in _continue(specs))
        lines += ("                && return", "            ;;")
    return "\n".join((*lines, _TAIL))


def _continue(specs: Iterable[str]) -> Iterator[str]:
    return (f"        {spec} \\" for spec in specs)


def _specify(options: Iterable[Option]) -> Iterator[str]:
    """What `_arguments` is to know about each name of each option."""
    for option in options:
        others = " ".join(option.names)
        for name in option.names:
            given = "*" if option.repeats else f"({others})"
            summary = _escape(option.summary, "[]:")
            if option.value is None:
                yield _quote(f"{given}{name}[{summary}]")
            else:
                joined = "=" if name.startswith("--") else "+"
                yield _quote(f"{given}{name}{joined}[{summary}]:{_place(option.value)}")


def _operand(value: Value | None) -> Iterator[str]:
    if value is not None:
        yield _quote(f"*:{_place(value)}")


def _place(value: Value) -> str:
    title = _escape(value.title.lower(), ":")
    if value.words:
        return f"{title}:({' '.join(value.words)})"
    if value.files:
        return f"{title}:_files"
    return f"{title}:_files -/" if value.folders else f"{title}: "


def _escape(text: str, special: str) -> str:
    return "".join(f"\\{char}" if char in special else char for char in text)


def _quote(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
