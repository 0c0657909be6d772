"""The catalogue: equations of products."""

from __future__ import annotations

import pytest

from mdbench import parse
from mdbench.diagnosis.diagnosis import diagnose
from mdbench.relations.catalogue import WORLD, Constant, Relation, catalogue
from mdbench.vocabulary.quantities import standard_vocabulary

STANDARD = standard_vocabulary()


def test_every_name_of_the_catalogue_is_a_quantity() -> None:
    unknown = {
        name
        for relation in catalogue()
        for name in relation.names
        if name not in STANDARD.quantities
    }
    assert unknown == set()


def test_every_equation_declares_whether_it_has_a_constant() -> None:
    for relation in catalogue():
        words = relation.equation.split()
        assert ("k" in words) is (relation.constant is not Constant.ONE), relation.equation


def test_relations_of_a_family_share_a_quantity() -> None:
    families: dict[str, list[Relation]] = {}
    for relation in catalogue():
        families.setdefault(relation.family, []).append(relation)
    families.pop("")
    for name, members in families.items():
        common = set(members[0].names).intersection(*(one.names for one in members[1:]))
        assert common, name


def test_the_factors_multiply_to_the_constant() -> None:
    relation = Relation("a", "tokens_per_s = tokens_per_s_per_device * world * k", Constant.WHOLE)
    powers = {term.names: term.power for term in relation.terms}
    assert powers == {("tokens_per_s",): 1, ("tokens_per_s_per_device",): -1, WORLD: -1}


def test_numbers_of_an_equation_are_its_factor() -> None:
    assert Relation("a", "energy_j = 3600 * power_w / 2").factor == 1800
    with_k = Relation("a", "pflops_total = 4 * tflops_per_device * k", Constant.ANY)
    assert with_k.factor == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("known", "applies"),
    [
        pytest.param({"dp", "nodes"}, True, id="optional sizes may be missing"),
        pytest.param({"fsdp", "devices"}, True, id="the second of two names is enough"),
        pytest.param({"tp", "pp", "nodes"}, False, id="a required factor is missing"),
    ],
)
def test_a_relation_applies_if_its_factors_are_known(known: set[str], applies: bool) -> None:
    relation = Relation("sizes", "dp|fsdp * tp? * pp? = world * k", Constant.WHOLE)
    assert relation.applies_to(known) is applies


def test_only_a_single_name_on_the_left_is_the_result() -> None:
    assert Relation("a", "mfu * k = tflops_per_device", Constant.ANY).result == ""
    assert Relation("a", "hfu = mfu * k", Constant.ANY).result == "hfu"


@pytest.mark.parametrize("relation", catalogue(), ids=lambda one: one.equation)
def test_a_relation_applies_if_every_required_factor_is_known(relation: Relation) -> None:
    needed = [term.names for term in relation.terms if not term.optional]
    first = {names[0] for names in needed}
    assert relation.applies_to(first)
    for names in needed:
        assert relation.applies_to(first - {names[0]} | {names[-1]})
        assert not relation.applies_to(first - set(names))


@pytest.mark.parametrize(
    ("titles", "cells"),
    [
        ("Requests/s | Total (s) | Requests", "17.12 | 58.41 | 1000"),
        ("Events/s | Total time (s) | Events", "3340.59 | 6.0003 | 20047"),
        ("Clients | Latency (ms) | TPS", "4 | 6.497 | 615.708007"),
        ("Size/request | Size/sec | Requests/sec", "41 B | 401.39 KiB | 10024.86"),
        ("Bandwidth | Total time (s) | Total data", "401.39 KiB/s | 4.9876 | 1.955 MiB"),
        ("Output tok/s | Duration (s) | Total generated tokens", "3387.17 | 58.41 | 197854"),
    ],
)
def test_what_tools_compute_is_verified(titles: str, cells: str) -> None:
    report = parse(f"| {titles} |\n|--|--|--|\n| {cells} |\n")
    assert len(diagnose(report).verified) == 3


@pytest.mark.parametrize(
    ("titles", "rows"),
    [
        pytest.param(
            "Benchmark | ns/op | MB/s",
            ["BenchmarkCopy/256-8 | 12.49 | 20494.35", "BenchmarkCopy/4096-8 | 81.22 | 50432.83"],
            id="bandwidth of the size in a name",
        ),
        pytest.param(
            "Server | Requests/s | Transfer/s",
            ["a | 8463 | 1.134 MB", "b | 12161 | 1.630 MB", "c | 7661 | 1.027 MB"],
            id="requests of equal size",
        ),
        pytest.param(
            "Benchmark | ns/op | B/op | Allocation rate (MB/s)",
            ["concat | 98.412 | 416 | 4031.3", "builder | 61.307 | 272 | 4231.2"],
            id="memory per operation, in units of 1024",
        ),
        pytest.param(
            "Requests | Requests/s | Total data | Bandwidth",
            ["1140 | 189.837 | 153 kB | 25.5 kB/s"],
            id="counted in one time",
        ),
    ],
)
def test_what_follows_is_verified_and_blames_nobody(titles: str, rows: list[str]) -> None:
    width = titles.count("|")
    lines = [titles, "--|" * width + "--", *rows]
    report = parse("".join(f"| {line} |\n" for line in lines))
    rate = report.source.text.splitlines()[2].rsplit("|", 2)[1].strip()
    verified = [report.source.text[a:b] for a, b in diagnose(report).verified]
    assert rate in verified
