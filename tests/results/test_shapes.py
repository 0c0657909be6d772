"""The output of each known tool: what is read of it, and what its columns mean.

hyperfine, pytest-benchmark, Google Benchmark, criterion, go, mitata, tinybench and wrk were run,
and what they wrote is kept, shortened and without names of a machine. TensorBoard,
lm-evaluation-harness (with its dummy model) and MLPerf's logging package wrote made-up values.
JMH, BenchmarkDotNet, k6, oha, llama-bench, vLLM and Weights & Biases were not run: their files are
written after the documentation of their formats.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdbench.results.contents import Loaded, read_content
from mdbench.results.files import UnreadableError, find_files
from mdbench.results.shapes import SHAPES, Content, read_shape
from mdbench.results.tables import ResultColumn
from tests.results.conftest import Open

_FIXTURES = Path(__file__).parent / "fixtures"


class Case(NamedTuple):
    """A file of a tool, a query with its answer, and the meanings of some columns."""

    tool: str
    path: str
    query: str
    rows: list[tuple[Any, ...]]
    meanings: dict[str, tuple[str, str, str]]


_CASES = (
    Case(
        "hyperfine",
        "hyperfine.json",
        "select command, n, mean, stddev, runs from t",
        [
            ("seq 1000", 1000, 0.0033243723333333335, 0.0012898944958556365, 6),
            ("seq 200000", 200000, 0.0049686285, 0.0007248438416601883, 6),
        ],
        {
            "command": ("configuration", "", ""),
            "mean": ("time_s", "s", "mean"),
            "stddev": ("time_s", "s", "std"),
            "user": ("user_time_s", "s", ""),
        },
    ),
    Case(
        "pytest-benchmark",
        "pytest-benchmark.json",
        "select name, n, rounds, round(ops) from t",
        [
            ("test_sort", None, 2355, 36117.0),
            ("test_sum[10]", 10, 17512, 1675461.0),
            ("test_sum[100]", 100, 10468, 592734.0),
        ],
        {
            "mean": ("time_s", "s", "mean"),
            "stddev": ("time_s", "s", "std"),
            "ops": ("ops_per_s", "ops/s", ""),
            "group": ("", "", ""),
        },
    ),
    Case(
        "Google Benchmark",
        "google-benchmark.json",
        # The last one is written in ms.
        "select name, round(real_time, 1), iterations from t",
        [
            ("BM_StringCreation", 1.5, 44561637),
            ("BM_Copy/1024", 17.5, 4073377),
            ("BM_Copy/65536", 35894.1, 1943),
            ("BM_Sort/100000", 1228739.8, 56),
        ],
        {
            "real_time": ("time_s", "ns", ""),
            "cpu_time": ("cpu_time_s", "ns", ""),
            "bytes_per_second": ("bandwidth_gb_per_s", "B/s", ""),
        },
    ),
    Case(
        "Google Benchmark",
        "google-benchmark-repeated.json",
        "select name, count(*), round(median(real_time), 1) from t group by 1 order by 1",
        [("BM_Copy/1024", 3, 17.2), ("BM_Copy/65536", 3, 41287.8)],
        {"real_time": ("time_s", "ns", "")},
    ),
    Case(
        "criterion",
        "criterion",
        "select benchmark, baseline, round(time, 1), round(mean, 1), round(std_dev, 1) from t",
        [
            ("sort/stable/100", "new", 197.4, 191.5, 11.2),
            ("sort/stable/1000", "new", 1193.1, 1228.4, 198.0),
            ("sum", "new", 2.0, 2.1, 0.3),
        ],
        {
            "benchmark": ("benchmark", "", ""),
            "time": ("time_s", "ns", ""),
            "std_dev": ("time_s", "ns", "std"),
        },
    ),
    Case(
        "JMH",
        "jmh.json",
        "select benchmark, mode, size, score, score_unit, time, throughput, samples from t",
        [
            ("SortBenchmark.sort", "avgt", 1000, 42.125, "us/op", 42.125, None, 6),
            ("SortBenchmark.sort", "avgt", 10000, 598.4, "us/op", 598.4, None, 6),
            ("SortBenchmark.sum", "thrpt", 1000, 2.613, "ops/us", None, 2.613, 6),
        ],
        {
            "time": ("time_per_op_ns", "us/op", "mean"),
            "time_error": ("time_per_op_ns", "us/op", "error"),
            "throughput": ("ops_per_s", "ops/us", "mean"),
            "gc.alloc.rate.norm": ("alloc_bytes", "B/op", ""),
        },
    ),
    Case(
        "BenchmarkDotNet",
        "benchmarkdotnet.json",
        "select method, N, mean, stddev, error, gen0, allocated from t",
        [
            ("QuickSort", 1000, 21430.5, 310.25, 310.25, 0.25, 0),
            ("QuickSort", 10000, 287110.75, 2044.5, 2044.5, 0.25, 0),
            ("Linq", 1000, 64122.25, 801.5, 801.5, 0.25, 12160),
            ("Broken", 1000, None, None, None, 0.25, None),
        ],
        {
            "mean": ("time_s", "ns", "mean"),
            "allocated": ("alloc_bytes", "bytes", ""),
            "p95": ("time_s", "ns", "p95"),
        },
    ),
    Case(
        "go test -bench",
        "go-test.txt",
        "select benchmark, n, procs, ns_per_op, mb_per_s, allocs_per_op, package from t",
        [
            ("BenchmarkSort/n=100-2", 100, 2, 2077, None, 2, "example.org/sorting"),
            ("BenchmarkSort/n=100-2", 100, 2, 1766, None, 2, "example.org/sorting"),
            ("BenchmarkSort/n=10000-2", 10000, 2, 190787, None, 2, "example.org/sorting"),
            ("BenchmarkSort/n=10000-2", 10000, 2, 202315, None, 2, "example.org/sorting"),
            ("BenchmarkHash-2", None, 2, 15327, 267.24, 0, "example.org/sorting"),
            ("BenchmarkHash-2", None, 2, 20685, 198.02, 0, "example.org/sorting"),
        ],
        {
            "ns_per_op": ("time_per_op_ns", "ns/op", ""),
            "mb_per_s": ("bandwidth_gb_per_s", "MB/s", ""),
            "bytes_per_op": ("alloc_bytes", "B/op", ""),
        },
    ),
    Case(
        "mitata",
        "mitata.json",
        "select name, n, round(avg, 1), round(p99, 1) from t",
        [
            ("sort", None, 33933.0, 36153.0),
            ("array(10)", 10, 99.2, 310.2),
            ("array(1000)", 1000, 4428.1, 5680.3),
        ],
        {
            "avg": ("time_per_op_ns", "ns/op", "mean"),
            "p999": ("time_per_op_ns", "ns/op", "p99.9"),
        },
    ),
    Case(
        "tinybench",
        "tinybench.json",
        "select name, round(latency_mean, 4), round(throughput_median), samples from t",
        [("sort", 0.0375, 30599.0, 1336), ("reverse", 0.0035, 380952.0, 14136)],
        {
            "latency_mean": ("latency_ms", "ms", "mean"),
            "throughput_mean": ("ops_per_s", "ops/s", "mean"),
        },
    ),
    Case(
        "tinybench",
        "tinybench-table.json",
        "select name, latency_mean, throughput_median, samples from t",
        [("sort", 37509.0, 30599, 1336), ("reverse", 3537.1, 380952, 14136)],
        {"latency_mean": ("latency_ms", "ns", "mean")},
    ),
    Case(
        "k6",
        "k6-summary.json",
        "select http_req_duration_med, http_req_duration_p95, http_reqs_rate, vus_max, "
        "http_req_failed_rate, duration from t",
        [(10.05, 30.9, 98.4126, 100, 0.0027, 30077.25)],
        {
            "http_req_duration_avg": ("latency_ms", "ms", "mean"),
            "http_req_duration_p95": ("latency_p95_ms", "ms", "p95"),
            "http_reqs_rate": ("requests_per_s", "request/s", ""),
            "vus_max": ("concurrency", "", ""),
        },
    ),
    Case(
        "k6",
        "k6-export.json",
        "select http_req_duration_med, http_reqs_count, vus_max, http_req_failed_rate from t",
        [(10.05, 2960, 100, 0.0027)],
        {"data_received_count": ("", "bytes", "")},
    ),
    *(
        Case(
            "llama-bench",
            f"llama-bench.{suffix}",
            "select model_type, test, n_gpu_layers, avg_ts, stddev_ts from t",
            [
                ("llama 7B Q4_0", "pp512", 99, 2368.8, 93.24),
                ("llama 7B Q4_0", "tg128", 99, 131.42, 0.59),
                ("llama 7B Q4_0", "tg128 @ d512", 99, 120.6, 0.6),
            ],
            {
                "avg_ts": ("tokens_per_s", "token/s", "mean"),
                "model_size": ("model_file_mib", "bytes", ""),
                "n_depth": ("", "", ""),
            },
        )
        for suffix in ("json", "jsonl", "csv")
    ),
    Case(
        "vLLM",
        "vllm-serve.json",
        "select model_id, max_concurrency, request_rate, output_throughput, p99_ttft_ms from t",
        [("example/7b-chat", 16, None, 1250.0, 118.75)],
        {
            "output_throughput": ("tokens_per_s", "token/s", ""),
            "total_token_throughput": ("", "token/s", ""),
            "median_ttft_ms": ("ttft_ms", "ms", "median"),
            "p99_e2el_ms": ("latency_p99_ms", "ms", "p99"),
        },
    ),
    Case(
        "vLLM",
        "vllm-serve.jsonl",
        "select request_rate, request_throughput, mean_tpot_ms from t",
        [(4.0, 4.0, 9.1), (8.0, 7.8125, 10.6)],
        {"request_rate": ("request_rate", "request/s", "")},
    ),
    Case(
        "vLLM",
        "vllm-throughput.json",
        "select num_requests, requests_per_second from t",
        [(200, 9.411764705882353)],
        {"tokens_per_second": ("tokens_per_s", "token/s", "")},
    ),
    Case(
        "vLLM",
        "vllm-latency.json",
        "select avg_latency, latency_p99 from t",
        [(1.4125, 1.43695)],
        {"latency_p99": ("latency_p99_ms", "s", "p99")},
    ),
    Case(
        "lm-evaluation-harness",
        "lm-eval.json",
        "select model, task, filter, shots, metric, value, stderr, samples from t",
        [
            ("dummy", "capitals", "none", 0, "acc", 0.5, 0.28867513459481287, 4),
            ("dummy", "capitals", "none", 0, "acc_norm", 0.5, 0.28867513459481287, 4),
        ],
        {"task": ("benchmark", "", ""), "shots": ("shots", "", ""), "version": ("", "", "")},
    ),
    Case(
        "MLPerf logging",
        "mlperf.log",
        "select submission_benchmark, global_batch_size, round(eval_accuracy, 2), epoch_num, "
        '"tracked_stats.throughput", status, run_time from t',
        [("resnet", 4096, 0.78, 8, 24008.5, "success", 0.001)],
        {
            "run_time": ("time_s", "s", ""),
            "eval_accuracy": ("accuracy", "", ""),
            "global_batch_size": ("global_batch", "", ""),
        },
    ),
    Case(
        "Weights & Biases",
        "wandb-runs.csv",
        "select Name, State, Runtime, batch_size, loss, tokens_per_s from t",
        [
            ("lucky-sea-3", "finished", 3600, 64, 2.125, 41250.5),
            ("calm-hill-2", "crashed", 125, 32, 3.5, 40100.25),
        ],
        {
            "Runtime": ("time_s", "s", ""),
            "loss": ("loss", "", ""),
            "tokens_per_s": ("tokens_per_s", "token/s", ""),
            "User": ("", "", ""),
        },
    ),
    Case(
        "Weights & Biases",
        "wandb-chart.csv",
        "select run, step, loss, loss_max from t order by run, step",
        [
            ("calm-hill-2", 100, 3.75, 3.75),
            ("calm-hill-2", 200, 3.5, 3.5),
            ("lucky-sea-3", 100, 3.25, 3.25),
            ("lucky-sea-3", 200, 2.5, 2.5),
            ("lucky-sea-3", 300, 2.125, 2.125),
        ],
        {"loss": ("loss", "", ""), "loss_max": ("loss", "", "max")},
    ),
    Case(
        "TensorBoard",
        "tensorboard",
        "select run, step, max(loss), max(tokens_per_s) from t where step = 200 group by all "
        "order by run",
        [("large", 200, 1.600000023841858, 1000.0), ("small", 200, 2.0, 1200.0)],
        {"loss": ("loss", "", ""), "tokens_per_s": ("tokens_per_s", "token/s", "")},
    ),
    Case(
        "wrk",
        "wrk.txt",
        "select threads, connections, requests, duration_s, latency_mean, latency_p99, "
        "requests_per_s, bytes_per_s, failures from t",
        [(2, 10, 1483, 2.01, 11.28, 147.79, 736.07, 257699.84, 0)],
        {
            "latency_mean": ("latency_ms", "ms", "mean"),
            "latency_p99": ("latency_p99_ms", "ms", "p99"),
            "requests_per_s": ("requests_per_s", "request/s", ""),
        },
    ),
    Case(
        "oha",
        "oha.json",
        'select requests_per_s, latency_mean, latency_p99, "latency_p99.9" from t',
        [(4755.25, 0.0021, 0.0077, 0.0204)],
        {"latency_p95": ("latency_p95_ms", "s", "p95"), "duration": ("time_s", "s", "")},
    ),
)


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case.path)
def test_output_of_a_tool_is_read(case: Case, fixtures: Path, opened: Open) -> None:
    database = opened(fixtures, {"t": case.path})
    assert database.problems == {}
    assert database.ask(case.query).rows == case.rows
    columns = {column.name: column for column in database.tables["t"].columns}
    assert {name: _meaning(columns[name]) for name in case.meanings} == case.meanings


def _meaning(column: ResultColumn) -> tuple[str, str, str]:
    quantity = column.quantity.name if column.quantity is not None else ""
    return quantity, column.unit.text if column.unit is not None else "", column.statistic


def test_aggregates_alone_are_statistics(fixtures: Path, tmp_path: Path, opened: Open) -> None:
    """Google Benchmark writes only them with `--benchmark_report_aggregates_only`."""
    data = json.loads((fixtures / "google-benchmark-repeated.json").read_text())
    data["benchmarks"] = [one for one in data["benchmarks"] if one["run_type"] == "aggregate"]
    (tmp_path / "g.json").write_text(json.dumps(data))
    database = opened(tmp_path, {"t": "g.json"})
    query = "select name, round(real_time_median, 1) from t"
    assert database.ask(query).rows == [("BM_Copy/1024", 17.2), ("BM_Copy/65536", 41287.8)]
    columns = {column.name: column for column in database.tables["t"].columns}
    assert _meaning(columns["real_time_stddev"]) == ("time_s", "ns", "std")


def test_each_tool_has_a_file() -> None:
    assert {case.tool for case in _CASES} == {shape.tool for shape in SHAPES}


def test_each_tool_is_documented(project: Path) -> None:
    page = (project / "docs" / "results.md").read_text(encoding="utf-8")
    assert [shape.tool for shape in SHAPES if f"\n| {shape.tool} |" not in page] == []


def _contents() -> Iterator[tuple[str, Content]]:
    for path in sorted(_FIXTURES.rglob("*.*")):
        text = path.read_text(encoding="utf-8")
        data = None
        if path.suffix == ".json":
            data = json.loads(text)
        elif path.suffix == ".jsonl":
            data = [json.loads(line) for line in text.splitlines()]
        if path.is_file():
            yield str(path.relative_to(_FIXTURES)), Content("x", text, data)


_CONTENTS = dict(_contents())


@pytest.mark.parametrize("path", [path for path in _CONTENTS if path != "hyperfine.md"])
def test_a_file_is_of_one_tool_only(path: str) -> None:
    assert len([shape for shape in SHAPES if shape.read(_CONTENTS[path])]) == 1


@pytest.mark.parametrize("suffix", ["json", "jsonl", "csv"])
def test_a_tool_is_not_recognised_by_the_name_of_its_file(
    suffix: str, fixtures: Path, tmp_path: Path
) -> None:
    copy = tmp_path / f"results.{suffix}"
    copy.write_bytes((fixtures / f"llama-bench.{suffix}").read_bytes())
    (found,) = find_files(str(tmp_path), copy.name)
    assert isinstance(read_content(found), Loaded)


_ODD: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, 0, -1.5, 10**40, "", "NaN", "±", [], [1], [{}], {}, {"a": {}}, {"1": "2"}]
)


def _places(value: object, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where the members of JSON are."""
    if isinstance(value, dict):
        members: list[tuple[Any, object]] = list(value.items())
    else:
        members = list(enumerate(value[:3])) if isinstance(value, list) else []
    for key, one in members:
        yield (*place, key)
        yield from _places(one, (*place, key))


def _put(data: Any, place: tuple[Any, ...], value: object) -> None:
    for key in place[:-1]:
        data = data[key]
    data[place[-1]] = value


@pytest.mark.parametrize("path", [path for path, one in _CONTENTS.items() if one.data is not None])
@given(data=st.data())
def test_odd_values_are_no_crash(path: str, data: st.DataObject) -> None:
    changed = json.loads(json.dumps(_CONTENTS[path].data))
    place = data.draw(st.sampled_from(list(_places(changed))))
    _put(changed, place, data.draw(_ODD))
    read_shape(Content("a/b/new/estimates.json", "", changed))


@pytest.mark.parametrize("path", [path for path, one in _CONTENTS.items() if one.data is None])
@given(data=st.data())
def test_torn_text_is_no_crash(path: str, data: st.DataObject) -> None:
    text = _CONTENTS[path].text
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    insert = data.draw(st.sampled_from(["", "\0", '"', ",", "\n", "9" * 400, "1e999", "٣"]))
    read_shape(Content("x.csv", text[:start] + insert + text[end:]))


def test_a_folder_is_not_read_as_text() -> None:
    with pytest.raises(UnreadableError, match="no file matches"):
        find_files(str(_FIXTURES), "criterion/*.json")
