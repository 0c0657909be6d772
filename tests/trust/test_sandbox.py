"""A template can access the data of a report: no other attributes, files or processes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mdbench.cli.main import main
from mdbench.files.errors import ProblemError
from mdbench.rendering.templates import fill_template

SECRET = "the key to everything"
DATA = {"report": {"name": "a"}, "runs": [{"nodes": 2}]}

ATTRIBUTES = [
    "{{ report.__class__ }}",
    "{{ ''['__class__'] }}",
    "{{ ().__class__.__base__.__subclasses__() }}",
    "{{ '' | attr('__class__') }}",
    r"{{ '' | attr('\x5f\x5fclass\x5f\x5f') }}",
    "{{ [''] | map(attribute='__class__') | first }}",
    "{{ [''] | map('attr', '__class__') | first }}",
    "{{ [''] | selectattr('__class__') | list }}",
    "{{ [''] | sum(attribute='__class__') }}",
    "{{ '{0.__class__}'.format('') }}",
    "{{ '{a.__class__}'.format_map({'a': ''}) }}",
    "{{ ('{0.__class__}' | string).format(1) }}",
    "{{ 'x'.format.__self__ }}",
    "{{ self.__init__ }}",
    "{{ self._TemplateReference__context }}",
    "{{ namespace(a=1).__class__ }}",
    "{{ dict.mro() }}",
    "{{ cell.__globals__ }}",
]
PROCESSES = [
    "{{ cycler.__init__.__globals__ }}",
    "{{ cycler.__init__.__globals__.os.popen('id').read() }}",
    "{{ joiner.__init__.__globals__ }}",
    "{{ lipsum.__globals__['os'] }}",
    "{{ range.__globals__ }}",
    "{{ open('secret.txt').read() }}",
    "{{ __import__('os') }}",
    "{% set x = [].__class__.__base__.__subclasses__() %}{{ x }}",
]
CHANGES = [
    "{{ runs.append(1) }}",
    "{{ runs.clear() }}",
    "{{ report.update({'name': 'b'}) }}",
    "{{ report.pop('name') }}",
]
FILES = [
    "{% include 'secret.txt' %}",
    "{% include '.env' %}",
    "{% include './secret.txt' %}",
    "{% include 'inner/secret.txt' %}",
    "{% include '../secret.j2' %}",
    "{% include 'inner/../../secret.j2' %}",
    "{% import 'secret.txt' as x %}{{ x }}",
    "{% from 'secret.txt' import x %}",
    "{% extends 'secret.txt' %}",
    "{% include ['no', 'secret.txt'] %}",
    "{% set name = 'secret' ~ '.txt' %}{% include name %}",
]
TOO_MUCH = [
    "{% for x in range(10 ** 9) %}{% endfor %}",
    "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
    "{% include 'mine.md.j2' %}",
]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with secrets next to its templates, below them and above."""
    folder = tmp_path / "project"
    (folder / "inner").mkdir(parents=True)
    for place in (
        folder / "secret.txt",
        folder / ".env",
        folder / "inner" / "secret.txt",
        tmp_path / "secret.j2",
    ):
        place.write_text(SECRET, encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


def fill(text: str, here: Path) -> str:
    (here / "mine.md.j2").write_text(text, encoding="utf-8")
    return fill_template("mine.md.j2", DATA)


@pytest.mark.parametrize("text", [*ATTRIBUTES, *PROCESSES, *CHANGES, *FILES, *TOO_MUCH])
def test_a_sandbox_escape_is_rejected_in_one_line(text: str, here: Path) -> None:
    with pytest.raises(ProblemError) as problem:
        fill(text, here)
    said = str(problem.value)
    assert re.match(r"mine\.md\.j2:1: ", said)
    assert SECRET not in said
    assert "\n" not in said
    assert DATA == {"report": {"name": "a"}, "runs": [{"nodes": 2}]}


@pytest.mark.parametrize("text", FILES)
def test_a_project_template_cannot_read_other_files(text: str, here: Path) -> None:
    (here / "templates").mkdir()
    (here / "templates" / "secret.txt").write_text(SECRET, encoding="utf-8")
    (here / "templates" / "mine.md.j2").write_text(text, encoding="utf-8")
    with pytest.raises(ProblemError) as problem:
        fill_template("mine", DATA)
    assert "does not exist" in str(problem.value)


def test_a_link_in_the_templates_folder_cannot_escape(here: Path) -> None:
    (here / "link.j2").symlink_to(here.parent / "secret.j2")
    with pytest.raises(ProblemError) as problem:
        fill("{% include 'link.j2' %}", here)
    assert SECRET not in str(problem.value)


def test_a_link_to_another_template_works(here: Path) -> None:
    (here / "inner" / "third.j2").write_text("third", encoding="utf-8")
    (here / "near.j2").symlink_to(here / "inner" / "third.j2")
    assert fill("{% include 'near.j2' %}", here) == "third"


def test_other_templates_can_be_included(here: Path) -> None:
    (here / "other.j2").write_text("other {{ report.name }}", encoding="utf-8")
    (here / "inner" / "third.j2").write_text("third", encoding="utf-8")
    assert fill("{% include 'other.j2' %}, {% include 'inner/third.j2' %}", here) == (
        "other a, third"
    )


def test_a_template_given_by_path_can_have_any_name(here: Path) -> None:
    (here / "inner" / "mine.txt").write_text("{{ report.name }}", encoding="utf-8")
    assert fill_template("inner/mine.txt", DATA) == "a"


def test_the_text_of_a_report_is_not_a_template(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = "{{ 7 * 7 }} {% include 'secret.txt' %}"
    (here / "a.md").write_text(
        f"# {said}\n\n| Nodes | {said} |\n|--|--|\n| 2 | {said} |\n", encoding="utf-8"
    )
    for arguments in (["--template", "report"], []):
        assert main(["render", "a.md", *arguments]) == 0
        shown = capsys.readouterr().out
        assert "{{ 7 * 7 }}" in shown
        assert SECRET not in shown
