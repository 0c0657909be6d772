"""The script for bash."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mdbench.cli.completion.tree import Option, Tree, Value

_HEAD = """\
# bash completion for mdbench: eval "$(mdbench completion bash)"
_mdbench() {
    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command="" at
    # bash makes words of their own of the parts of --format=json
    if [[ $word == "=" ]]; then
        word=""
    elif [[ $before == "=" ]]; then
        before="${COMP_WORDS[COMP_CWORD-2]}"
    fi
    for (( at = 1; at < COMP_CWORD; at++ )); do
        if [[ ${COMP_WORDS[at]} != -* ]]; then
            command="${COMP_WORDS[at]}"
            break
        fi
    done
    COMPREPLY=()
    case "$command" in"""
_TAIL = """\
    esac
}
complete -F _mdbench mdbench
"""


def write_bash(tree: Tree) -> str:
    """Everything that bash needs."""
    names = Value("COMMAND", tuple(one.name for one in tree.commands))
    lines = [_HEAD, *_branch('""', tree.options, names)]
    for command in tree.commands:
        lines += _branch(command.name, command.options, command.operand)
    return "\n".join((*lines, _TAIL))


def _branch(pattern: str, options: Iterable[Option], operand: Value | None) -> Iterator[str]:
    """What may follow one command."""
    yield f"    {pattern})"
    yield '        case "$before" in'
    switches: list[str] = []
    for option in options:
        switches += option.names
        if option.value is not None:
            yield f"        {'|'.join(option.names)}) {_offer(option.value)}; return ;;"
    yield "        esac"
    yield '        if [[ "$word" == -* ]]; then'
    yield f"            {_offer(Value('OPTION', tuple(switches)))}"
    yield "        else"
    yield f"            {_offer(operand) if operand is not None else ':'}"
    yield "        fi"
    yield "        ;;"


def _offer(value: Value) -> str:
    if value.words:
        return f'COMPREPLY=( $(compgen -W "{" ".join(value.words)}" -- "$word") )'
    # Readline itself knows best how to quote the names of files.
    if value.files:
        return "compopt -o default"
    return "compopt -o dirnames" if value.folders else ":"
