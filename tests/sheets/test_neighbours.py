"""What columns are by those beside them and by the heading above, where their titles mislead."""

from __future__ import annotations

import pytest

import mdbench
from mdbench.sheets.columns import Column


def read(*lines: str, above: str = "") -> tuple[Column, ...]:
    bars = "|".join("---" for _ in lines[0].split("|"))
    text = "\n".join(
        (above, "", f"| {lines[0]} |", f"|{bars}|", *(f"| {one} |" for one in lines[1:]))
    )
    return mdbench.parse(text + "\n").sheets[0].columns


def name(column: Column) -> str:
    return column.header.quantity.name if column.header.quantity is not None else ""


@pytest.mark.parametrize(
    ("cells", "meant"),
    [
        (("`1m.txt`", "`1m.txt`"), "dataset"),
        (("alice29.txt", "lena.png"), "dataset"),
        (("results/a.txt", "results/b.txt"), "link"),
        (("[log_1.txt](a/log_1.txt)", "[log_2.txt](a/log_2.txt)"), "link"),
        (("run.py", "run.py"), "link"),
    ],
)
def test_files_beside_times_are_data(cells: tuple[str, str], meant: str) -> None:
    columns = read("k | File | Time (s)", *(f"2 | {cell} | 1.5" for cell in cells))
    assert name(columns[1]) == meant


def test_files_beside_words_are_links() -> None:
    columns = read("File | Purpose", "a.csv | the results", "b.csv | the settings")
    assert name(columns[0]) == "link"


def test_names_of_data_beside_metrics_are_settings() -> None:
    columns = read(
        "Metric | Fire Data | Census Data", "Warm start | 2.5 | 3.5", "Cold start | 0.1 | 0.2"
    )
    assert [name(one) for one in columns] == ["metric", "value", "value"]
    assert columns[1].header.settings == (("dataset", "Fire Data"),)


def test_a_published_number_is_of_the_model_on_its_left() -> None:
    columns = read(
        "Task | Alpha-S | Official | Alpha-L | Official",
        "one | 0.12 | 0.13 | 0.22 | 0.23",
        "two | 0.14 | 0.15 | 0.24 | 0.25",
        "Average | 0.13 | 0.14 | 0.23 | 0.24",
    )
    models = [dict(one.header.settings).get("model") for one in columns[1:]]
    assert models == ["Alpha-S", "Alpha-S", "Alpha-L", "Alpha-L"]


@pytest.mark.parametrize(
    ("above", "meant"), [("### Similarity (Accuracy)", "accuracy"), ("### Similarity", "score")]
)
def test_the_heading_names_the_metric_of_a_split(above: str, meant: str) -> None:
    columns = read(
        "Model | 开发集（dev) | 测试集", "a | 74.2 | 73.7", "b | 71.2 | 70.1", above=above
    )
    assert [name(one) for one in columns[1:]] == [meant, meant]


@pytest.mark.parametrize(
    ("above", "cells", "meant"),
    [
        ("## Gain vs estimate", ("-94.6%", "+84.5%"), "change"),
        ("## Gain vs estimate", ("94.6%", "84.5%"), "value"),
        ("## Results", ("-94.6%", "+84.5%"), "value"),
    ],
)
def test_signed_shares_below_a_gain_are_changes(
    above: str, cells: tuple[str, str], meant: str
) -> None:
    rows = (f"API {at} | {cell}" for at, cell in enumerate(cells))
    assert name(read("Metric | Measured", *rows, above=above)[1]) == meant


def test_factors_of_quality_beside_a_speedup_are_no_speedups() -> None:
    columns = read("Method | Speedup | Path Quality", "a | 3.1x | 1.04x", "b | 2.5x | 1.02x")
    assert name(columns[2]) == "relative"


def test_a_corner_names_both_numbers_of_its_headers() -> None:
    columns = read(
        "batch_size(micro_batch size) | 8(4) | 16(8)",
        "Pipeline | 40.3 | 77.1",
        "Plain | 41.4 | 65.3",
        above="### Throughput (tokens/s)",
    )
    assert columns[2].header.settings == (("batch", "16"), ("micro_batch", "8"))
    assert name(columns[2]) == "tokens_per_s"


@pytest.mark.parametrize(
    ("titles", "kind"), [("390M | 3B", "params"), ("1M | 10M", "method"), ("1K | 1M", "method")]
)
def test_headers_that_are_sizes_of_models(titles: str, kind: str) -> None:
    columns = read(f"Task | Metric | {titles}", "a | F1 | 71.2 | 72.3", "b | F1 | 61.2 | 62.3")
    assert [one for one, _ in columns[3].header.settings] == [kind]


@pytest.mark.parametrize(("cells", "meant"), [(("4", "32"), "beam_size"), (("4.5", "3.2"), "")])
def test_a_search_above_small_whole_numbers_is_its_width(
    cells: tuple[str, str], meant: str
) -> None:
    rows = (f"8 | {cell} | FP16" for cell in cells)
    assert name(read("Batch Size | beamsearch | Precision", *rows)[1]) == meant


@pytest.mark.parametrize(
    ("above", "statistic"),
    [("### Pools (median)", "median"), ("### batch_size = 104 (max)", ""), ("### Pools", "")],
)
def test_a_statistic_in_brackets_of_a_heading(above: str, statistic: str) -> None:
    columns = read("Benchmark | Time (ms)", "a | 3.1", "b | 2.5", above=above)
    assert columns[1].header.statistic == statistic


def test_the_text_says_that_a_bandwidth_is_that_of_the_bus() -> None:
    columns = read(
        "Message Size (Bytes) | A100 (GB/s)",
        "1K | 0.07",
        "2K | 0.14",
        above="The table below has the bus bandwidth of an AllReduce.",
    )
    assert name(columns[1]) == "bus_bandwidth_gb_per_s"


def test_a_throughput_is_in_what_the_text_says_once() -> None:
    columns = read(
        "GPUs | Throughput - TF32",
        "1 | 2,880,000",
        "8 | 11,400,000",
        above="We used throughput in items processed per second as the metric.",
    )
    assert name(columns[1]) == "items_per_s"


@pytest.mark.parametrize(("last", "meant"), [("39.01", "samples_per_s"), ("41.7", "")])
def test_a_throughput_that_is_the_samples_of_a_batch_by_its_time(last: str, meant: str) -> None:
    columns = read(
        "batches | samples | throughput | latency",
        "10 | 5120 | 35.88 | 14.27",
        "20 | 10240 | 39.02 | 13.12",
        f"30 | 15360 | {last} | 13.125",
    )
    assert name(columns[2]) == meant


@pytest.mark.parametrize(
    ("header", "cells", "meant"),
    [
        ("Frequency", ("Baseline", "Static 1530"), "name"),
        ("Original size", ("800x600", "1920x1080"), "shape"),
        ("Clock", ("2.1 GHz", "1.5 GHz"), "clock_ghz"),
        ("Size", ("200 × 400", "400 × 800"), "shape"),
        ("Model parallel", ("True", "False"), ""),
        ("Public ID", ("5.1-0017", "5.1-0018"), "name"),
        ("Efficiency", ("2.56", "0.56"), "efficiency"),
        ("", ("7B", "70B"), "params"),
        ("Dataset", ("1,000", "10,000"), "problem_size"),
        ("Dataset", ("C4", "Pile"), "dataset"),
        ("Tokens", ("512", "1024"), "total_len"),
        ("Tokens", ("300B", "1T"), "train_tokens"),
        ("Optimization", ("none", "-02"), "method"),
    ],
)
def test_a_column_is_what_its_cells_are(header: str, cells: tuple[str, str], meant: str) -> None:
    columns = read(f"{header} | Time (s)", *(f"{cell} | 1.5" for cell in cells))
    assert name(columns[0]) == meant


@pytest.mark.parametrize(
    ("above", "meant"),
    [("Throughput in TFLOPS", "tflops_per_device"), ("Do more give more TFLOPS?", "")],
)
def test_a_question_does_not_say_what_a_table_holds(above: str, meant: str) -> None:
    columns = read("blocks | at 148 | at 152", "148 | 1.5 | 1.4", "152 | 2.5 | 1.4", above=above)
    assert [name(one) for one in columns[1:]] == [meant, meant]


def test_names_have_no_statistic() -> None:
    columns = read("max batch | Time (s)", "Default | 1.5")
    assert (name(columns[0]), columns[0].header.statistic) == ("name", "")


def test_the_mean_of_benchmarks_stands_behind_them() -> None:
    columns = read(
        "Model | MMLU | ARC-c | Avg | Peak mem (MB)",
        "a | 61.2 | 50.5 | 55.85 | 900",
        "b | 60.1 | 51.1 | 55.6 | 800",
    )
    assert (name(columns[3]), columns[3].header.statistic) == ("score", "mean")


def test_a_name_between_benchmarks_is_one_whatever_its_points() -> None:
    columns = read(
        "Model | GQA | XYZ | MMLU", "a | 61.2 | 1442.4 | 63.4", "b | 61.1 | 1437.3 | 63.3"
    )
    assert name(columns[2]) == "score"
    assert columns[2].header.settings == (("benchmark", "XYZ"),)


def test_a_cell_goes_by_the_unit_of_its_header() -> None:
    columns = read("Piece | Cost (ns)", "one | 1230", "two | 123")
    assert [one.quantity and one.quantity.name for one in columns[1].mains] == ["time_s", "time_s"]


@pytest.mark.parametrize(
    ("header", "cells", "meant"),
    [
        ("Percent", ("+87%", "-28%"), "change"),
        ("Percent", ("87%", "28%"), ""),
        ("Added", ("+36.0 MB", "+28.8 MB"), "difference"),
        ("Improvement over base", ("18.50", "34.58"), ""),
        ("Improvement over base", ("18.50%", "34.58%"), "change"),
        ("relative (rps)", ("584.6", "1.0"), "relative"),
        ("Distributed optim", ("4 + 16/d", "6 + 12/d"), ""),
        ("Python", ("load_cpu.py", "load_gpu.py"), ""),
        ("Python", ("3.11", "3.12"), "system_software"),
    ],
)
def test_a_header_says_no_more_than_its_cells(
    header: str, cells: tuple[str, str], meant: str
) -> None:
    columns = read(f"Name | {header}", *(f"run {cell[:2]} | {cell}" for cell in cells))
    assert name(columns[1]) == meant


def test_a_label_among_numbers_makes_all_of_them_labels() -> None:
    columns = read("Usage pattern | Cost", "9 hrs/day | $17", "24/7 | $82", "Stopped | $4")
    assert [name(one) for one in columns] == ["name", "cost_usd"]


def test_sizes_beside_a_bandwidth_are_messages_only_if_they_are_round() -> None:
    odd = read("Tool | MB/sec | size", "a | 16.91 | 4781329307", "b | 127.1 | 4885366806")
    even = read("Tool | GB/s | size", "a | 16.91 | 1048576", "b | 127.1 | 4194304")
    assert [name(odd[2]), name(even[2])] == ["file_bytes", "message_bytes"]


@pytest.mark.parametrize(("first", "meant"), [("GPU", "time_s"), ("Time", "cpu_time_s")])
def test_a_cpu_is_a_device_unless_it_stands_beside_the_time(first: str, meant: str) -> None:
    columns = read(f"Test | {first} | CPU", "a | 45 ms | 3500 ms", "b | 94 ms | 7000 ms")
    assert name(columns[2]) == meant


def test_beside_tp_all_parts_of_a_model_are_not_its_tensor_parts() -> None:
    columns = read("Model | TP | PP | MP", "a | 8 | 4 | 32", "b | 8 | 8 | 64")
    assert [name(one) for one in columns[1:]] == ["tp", "pp", ""]


def test_bytes_below_a_heading_of_memory_are_memory() -> None:
    columns = read(
        "Part | Used | Budget", "A | 319 KB | 983 KB", "B | 81 KB | 256 KB", above="## Memory usage"
    )
    assert [name(one) for one in columns[1:]] == ["memory_mib", "memory_mib"]


def test_what_would_be_ideal_is_no_efficiency() -> None:
    columns = read(
        "Metric | 1 node | 2 nodes",
        "Tokens per second | 40345 | 79815",
        "Perfect linear scaling | 40345 | 80690",
    )
    assert [name(one) for one in columns] == ["tokens_per_s", ""]
