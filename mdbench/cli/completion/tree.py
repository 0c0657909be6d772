"""The command line as a shell needs to know it: commands, their options, and what may follow."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

# What a value is, by what the help calls it.
_FILES = frozenset(("FILE", "NAME_OR_FILE", "PATH", "VERSION"))
_FOLDERS = frozenset(("DIR", "FOLDER"))

Words = Mapping[str, tuple[str, ...]]


class Value(NamedTuple):
    """What may stand at a place: one of some words, a file, a folder, or what nobody can guess."""

    title: str
    words: tuple[str, ...] = ()
    files: bool = False
    folders: bool = False


class Option(NamedTuple):
    """An option by all of its names; without a value it is a switch."""

    names: tuple[str, ...]
    summary: str
    value: Value | None
    repeats: bool = False


class Command(NamedTuple):
    """A command with what may follow it."""

    name: str
    summary: str
    options: tuple[Option, ...]
    operand: Value | None


class Tree(NamedTuple):
    """All commands, and the options that stand before them."""

    options: tuple[Option, ...]
    commands: tuple[Command, ...]


def read_tree(parser: argparse.ArgumentParser, words: Words) -> Tree:
    """The tree of a parser. `words` has the values for which a placeholder of the help stands."""
    commands = tuple(
        Command(name, summary, tuple(_options(command, words)), _operand(command, words))
        for name, (summary, command) in find_commands(parser).items()
    )
    return Tree(tuple(_options(parser, words)), commands)


def find_commands(
    parser: argparse.ArgumentParser,
) -> dict[str, tuple[str, argparse.ArgumentParser]]:
    """The summary and the parser of each command, by its name."""
    found: dict[str, tuple[str, argparse.ArgumentParser]] = {}
    for action in _actions(parser):
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            summaries = {one.dest: one.help or "" for one in action._choices_actions}  # noqa: SLF001
            for name, command in action.choices.items():
                found[name] = summaries.get(name, ""), command
    return found


def _actions(parser: argparse.ArgumentParser) -> Iterable[argparse.Action]:
    # argparse has no public way to ask for them.
    return parser._actions  # noqa: SLF001


def _options(parser: argparse.ArgumentParser, words: Words) -> Iterator[Option]:
    for one in _actions(parser):
        if one.option_strings and one.help != argparse.SUPPRESS:
            repeats = isinstance(one, argparse._AppendAction)  # noqa: SLF001
            value = None if one.nargs == 0 else _value(one, words)
            yield Option(tuple(one.option_strings), _summarize(one), value, repeats)


def _summarize(action: argparse.Action) -> str:
    """The first clause of an option's help, as there is one line for it."""
    text = (action.help or "") % vars(action)
    return text.partition("; ")[0].partition(". ")[0]


def _operand(parser: argparse.ArgumentParser, words: Words) -> Value | None:
    """What stands without an option; of several the last, which is the one that may be repeated."""
    operands = [one for one in _actions(parser) if not one.option_strings]
    return _value(operands[-1], words) if operands else None


def _value(action: argparse.Action, words: Words) -> Value:
    title = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if action.choices is not None:
        return Value(title, tuple(map(str, action.choices)))
    return Value(title, words.get(title, ()), title in _FILES, title in _FOLDERS)
