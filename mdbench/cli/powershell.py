"""Completion for PowerShell. Written by hand: shtab has bash, zsh, tcsh and fish only."""

from __future__ import annotations

from collections.abc import Iterable

from mdbench.cli.options import Parser

_SCRIPT = """\
Register-ArgumentCompleter -Native -CommandName mdbench -ScriptBlock {{
    param($wordToComplete, $commandAst, $cursorPosition)
    $commands = @({commands})
    $options = @{{
{options}
    }}
    $values = @{{
{values}
    }}
    $words = @($commandAst.CommandElements | ForEach-Object {{ $_.ToString() }})
    if ($wordToComplete -ne '') {{ $words = @($words | Select-Object -SkipLast 1) }}
    $command = $words | Select-Object -Skip 1 | Where-Object {{ $commands -contains $_ }} |
        Select-Object -First 1
    $last = $words | Select-Object -Last 1
    if (-not $command) {{ $found = $commands + $options[''] }}
    elseif ($values.ContainsKey("$command $last")) {{ $found = $values["$command $last"] }}
    elseif ($wordToComplete.StartsWith('-')) {{ $found = $options[$command] }}
    else {{ $found = $values["$command"] }}
    $found | Where-Object {{ $_ -like "$wordToComplete*" }} | ForEach-Object {{
        [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
    }}
}}
"""


def write_script(parser: Parser) -> str:
    """The script. Where it offers nothing, PowerShell offers files."""
    options = {"": _list_options(parser)}
    values: dict[str, list[str]] = {}
    for name, command in parser.commands.items():
        options[name] = _list_options(command)
        for one in command.arguments:
            if one.choices is not None:
                for option in one.option_strings or [""]:
                    values[f"{name} {option}".strip()] = [str(choice) for choice in one.choices]
    return _SCRIPT.format(
        commands=_quote_all(parser.commands), options=_rows(options), values=_rows(values)
    )


def _list_options(parser: Parser) -> list[str]:
    return [name for one in parser.arguments for name in one.option_strings]


def _rows(entries: dict[str, list[str]]) -> str:
    return "\n".join(
        f"        {_quote(name)} = @({_quote_all(words)})" for name, words in entries.items()
    )


def _quote_all(words: Iterable[str]) -> str:
    return ", ".join(map(_quote, words))


def _quote(word: str) -> str:
    return "'" + word.replace("'", "''") + "'"
