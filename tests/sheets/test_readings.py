"""Columns: the cells decide what a header leaves open, and say how much."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdbench.numerals.cell import read_cell
from mdbench.sheets.column_cells import Cells
from mdbench.sheets.meaning import falls_against, settle, settle_all
from mdbench.vocabulary.amounts import scaled
from mdbench.vocabulary.headers import Header, read_header
from mdbench.vocabulary.quantities import standard_vocabulary

STANDARD = standard_vocabulary()


def column(cells: str) -> Cells:
    return Cells([read_cell(cell.strip())[0] for cell in cells.split("|")])


def settled(header: str, cells: str, beside: str = "") -> Header:
    siblings = [read_header(text, STANDARD) for text in beside.split("|") if text]
    return settle(read_header(header, STANDARD), column(cells), STANDARD, siblings)


def amount(header: str, cells: str, beside: str = "") -> Decimal | None:
    """The first cell in the unit of the frame."""
    found = settled(header, cells, beside)
    if found.quantity is None:
        return None
    read = scaled(column(cells)[0], found)
    return None if read is None else found.quantity.convert(read.value, read.unit)


@pytest.mark.parametrize(
    ("header", "cells", "beside", "name"),
    [
        ("GPU", "A100|V100", "", "device"),
        ("GPU", "8|16|32", "", "devices"),
        ("GPUs", "A100 80GB|H100", "", "device"),
        ("Size", "1.3B|13B", "", "params"),
        ("size", "3.56 GiB|12.5 GiB", "model", "model_file_mib"),
        ("Size", "small|large", "", "model"),
        ("Size (B)", "8|16", "busbw", "message_bytes"),
        ("Batch size", "1|2", "", "batch"),
        ("Batch size", "4|8", "GBS|DP", "micro_batch"),
        ("Batch size", "4|8", "grad_accum", "micro_batch"),
        ("Batch size", "512|1024", "MBS", "global_batch"),
        ("Batch size", "4 MB|8 MB", "", "message_bytes"),
        ("Time", "12.1|13", "", "time_s"),
        ("Time", "12.1 ms/token|13 ms/token", "", "tpot_ms"),
        ("Speed", "12 it/s|14 it/s", "", "steps_per_s"),
        ("Speed", "2.1 s/it|2.2 s/it", "", "step_time_s"),
        ("Throughput", "100 tokens/s|120 tokens/s", "", "tokens_per_s"),
        ("Throughput", "10 img/s|12 img/s", "", "samples_per_s"),
        ("PP", "512|1024", "TG|N_KV", "input_len"),
        ("PP", "2|4", "TP|DP", "pp"),
        ("mean (ms)", "41.8|47.9", "p50 (ms)|p99 (ms)", "latency_ms"),
        ("max (ms)", "60.2|99.1", "p50 (ms)|p99 (ms)", "latency_max_ms"),
        ("PP", "512|1024", "B|N_KV|S_PP t/s", "input_len"),
        ("PP", "5201.2|2790.9", "Model|TG", "prompt_tokens_per_s"),
        ("TG", "128|256", "PP", "output_len"),
        ("TG", "147.8|60.1", "PP", "tokens_per_s"),
        ("BS", "512|1024", "MBS", "global_batch"),
        ("BS", "1|8", "", "batch"),
        ("Average", "12 ms|13 ms", "", "time_s"),
        ("System", "DeepSpeed|Hugging Face Accelerate|FlexGen", "", "framework"),
        ("System", "DGX-H100|DGX-A100", "", "device"),
        ("Number of GPUs", "2 nodes|two", "", "devices"),
        ("Model", "7b|350M", "", "params"),
        ("Model", "7b|llama-13b", "", "model"),
        ("change", "+ flash attn|+ compile", "", "method"),
        ("Size", "28.3 GB|9.7 GB", "Quantization", "model_file_mib"),
        ("Throughput p90", "4.0|3.8", "Throughput avg (img/s)", "samples_per_s"),
        ("Memory", "56%|60%", "", "memory_share"),
        ("Raspberry Pi 4", "12.5 ms|13 ms", "", "time_s"),
        ("A100", "12.5 tokens/s|13 tokens/s", "", "tokens_per_s"),
        ("Prompt", "1,109 t/s|1,037 t/s", "Best", "prompt_tokens_per_s"),
        ("Training", "5.29s|10.02s", "", "time_s"),
        ("Distribution", "random order|random % 100|95% generic", "", "dataset"),
        ("Models", "FP16|SmoothQuant|GPTQ-R|AWQ|Atom", "", "quantization"),
        ("Model", "FP16|INT8", "", "precision"),
        ("Model", "V2 float32|V1 uint8", "", "model"),
        ("Model", "M2|M5", "", "model"),
        ("参数", "FP32|AMP", "", "precision"),
        ("Config", "FP16 + compile|FP16 + SDPA", "", "configuration"),
        ("Test F1", "+0.001 for QAT|+0.006 for PTQ", "", "difference"),
        ("Test F1", "0.741 for QAT|0.776 for PTQ", "", "f1"),
        ("Bandwidth used (bytes)", "`bw = rate x 4608`|`bw = rate x 4`", "", "bandwidth_gb_per_s"),
    ],
)
def test_the_cells_and_the_columns_beside_decide(
    header: str, cells: str, beside: str, name: str
) -> None:
    found = settled(header, cells, beside)
    assert found.quantity is not None, found
    assert found.quantity.name == name


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("Throughput", "100|120"),
        ("Speed", "29|32"),
        ("A100", "12.5|13"),
        ("Throughput", ""),
        ("Average", "60.7|58.4"),
        ("TorchScript", "0.73|0.81"),
        ("Attention", "12.5|13.1"),
    ],
)
def test_where_nothing_decides_nothing_is_decided(header: str, cells: str) -> None:
    assert settled(header, cells).quantity is None


@pytest.mark.parametrize(
    ("header", "cells", "value"),
    [
        ("Params", "1.3B", "1.3e9"),
        ("Params", "124M", "124e6"),
        ("Parameters (B)", "1.3", "1.3e9"),
        ("Size", "1.3B", "1.3e9"),
        ("Seq len", "64K", "65536"),
        ("GPUs", "1K", "1024"),
        ("GPUs", "x8", "8"),
        ("Number of GPUs", "8x A100", "8"),
        ("speed(tokens)", "31085", "31085"),
        ("GlobalBatchSize (T)", "0.125M", "131072"),
        ("Mem", "18870.0 MiB", "18870.0"),
        ("Mem (GiB)", "2", "2048"),
        ("Mem", "524.288 G", "500000"),
        ("Mem", "1.048576M", "1"),
        ("Message Size", "64K", "65536"),
        ("Sec/it", "2533.0", "2533.0"),
        ("ms/iter", "250", "0.25"),
        ("Step time", "250 ms", "0.25"),
        ("Step time", "90.5s|213", "90.5"),
        ("TFLOPs", "0.86", "0.86"),
        ("Est. Aggr. PetaFLOPs", "0.05", "0.05"),
        ("Tokens/s", "12.5K", "12500"),
        ("MFU", "56.7%", "0.567"),
        ("MFU", "56.7|48", "0.567"),
        ("MFU", "0.567|0.48", "0.567"),
        ("Speedup", "12.3", "12.3"),
        ("Speedup", "2.63 x", "2.63"),
        ("Speedup", "185%", "1.85"),
        ("Freq", "2.0GHz", "2.0"),
        ("频率", "1005|1200", "1.005"),
        ("Freq", "2.2|2.0", "2.2"),
        ("Power", "320.1", "320.1"),
        ("Training time (hours)", "33", "33"),
        ("Training time", "90 min", "1.5"),
        ("Nodes", "64", "64"),
        ("MBS", "2", "2"),
    ],
)
def test_a_cell_is_read_in_the_unit_of_its_quantity(header: str, cells: str, value: str) -> None:
    assert amount(header, cells) == Decimal(value)


def test_a_bare_number_takes_the_unit_of_the_cells_around_it() -> None:
    found = settled("Step time", "90.5s|213|80s")
    read = scaled(read_cell("213")[0], found)
    assert read is not None
    assert (read.value, read.unit.dimension) == (Decimal(213), "s")


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("Mem", "1.3B"),
        ("Mem", "18870"),
        ("Sec/it", "20033.7 MiB"),
        ("Latency", "12"),
        ("Params", "1.3"),
        ("Nodes", "12 ms"),
        ("FLOPS", "150"),
        ("Model", "13"),
        ("Mem", "-"),
        ("Mem", "OOM"),
    ],
)
def test_no_number_rather_than_a_wrong_one(header: str, cells: str) -> None:
    assert amount(header, cells) is None


def test_the_printed_precision_is_scaled_with_the_number() -> None:
    read = scaled(read_cell("1.3B")[0], read_header("Params", STANDARD))
    assert read is not None
    assert (read.value, read.quantum) == (Decimal("1.3e9"), Decimal("1e8"))


def test_a_speed_that_falls_where_tflops_rise_is_the_time_of_a_step() -> None:
    headers = [
        read_header("Speed", STANDARD),
        read_header("TFlops", STANDARD),
    ]
    speed, flops = settle_all(headers, [column("29|28|30|x"), column("47.0|48.7|45.4|x")], STANDARD)
    assert speed.quantity is not None
    assert speed.quantity.name == "step_time_s"
    assert amount("Speed", "29|28|30", "TFlops") == 29
    assert flops.quantity is not None


def test_a_speed_that_rises_with_tflops_stays_open() -> None:
    headers = [
        read_header("Speed", STANDARD),
        read_header("TFLOPs", STANDARD),
    ]
    speed, _ = settle_all(headers, [column("100|120|140"), column("47.0|56.4|65.8")], STANDARD)
    assert speed.quantity is None
    assert speed.candidates


@given(st.lists(st.integers(1, 10**6), min_size=2, max_size=20, unique=True))
def test_a_column_falls_against_its_inverse_and_not_against_itself(values: list[int]) -> None:
    rising = [read_cell(str(value))[0] for value in values]
    falling = [read_cell(str(-value))[0] for value in values]
    assert falls_against(rising, falling)
    assert not falls_against(rising, rising)


def test_a_constant_column_proves_nothing() -> None:
    assert not falls_against(column("5|5|5"), column("1|2|3"))


@pytest.mark.parametrize(
    ("header", "beside", "framework"),
    [("TF", "PyTorch|ONNX", "TF"), ("FSDP", "DeepSpeed|Megatron-LM", "FSDP")],
)
def test_a_name_between_names_is_one_too(header: str, beside: str, framework: str) -> None:
    found = settled(header, "41.2|38.0", beside)
    assert found.quantity is None
    assert found.settings == (("framework", framework),)


def test_a_time_that_falls_as_the_job_grows_is_one_though_each_device_slows_down() -> None:
    headers = [read_header(text, STANDARD) for text in ("Nodes", "Speed", "TFLOPs")]
    columns = [column("8|16|32"), column("41.2|21.0|10.9"), column("86.6|85.0|81.9")]
    assert [
        one.quantity and one.quantity.name for one in settle_all(headers, columns, STANDARD)
    ] == [
        "nodes",
        "step_time_s",
        "tflops_per_device",
    ]


@pytest.mark.parametrize(
    ("header", "cells", "beside", "name"),
    [
        ("gpu", "n1g8|n2g8", "", "configuration"),
        ("Layer", "CUDA kernel|CPU kernel", "", None),
        ("Layers", "12|24", "", "layers"),
        ("Cost Factor", "Infrastructure|Data transfer", "", None),
        ("Memory", "External|Internal", "", None),
        ("Memory", "Low|High", "", "memory_mib"),
        ("tensor parallel", "[√]|[ ]", "", "status"),
        ("tensor parallel", "4|8", "", "tp"),
        ("per node output token thr (tok/s)", "974.68|980.1", "", None),
        ("Achieved aggregate petaFLOP/s", "0.05|0.38", "", "pflops_total"),
        ("H200 peak (GiB)", "16.3|25.8", "seqlen", "memory_mib"),
        ("After", "134 KB|1.2 s|10 KB", "Metric", None),
        ("After", "134 KB|1.2 MB|10 KB", "", "file_bytes"),
        ("Val1.0 APc", "15.3|24.1", "", "score"),
        ("SIMD 256 bit", "0.2|6.6", "", None),
    ],
)
def test_cells_and_words_that_contradict_a_quantity(
    header: str, cells: str, beside: str, name: str | None
) -> None:
    found = settled(header, cells, beside)
    assert (found.quantity.name if found.quantity else None) == name
    assert found.quantity is not None or not found.candidates


def test_a_throughput_is_no_time_and_no_factor_unless_its_unit_says_so() -> None:
    meant = {one.name for one in settled("Throughput", "148.0|1103.2", "nodes|bs").candidates}
    assert meant & {"samples_per_s", "tokens_per_s"}
    assert not meant & {"step_time_s", "latency_ms", "speedup"}
    found = settled("Throughput", "90.5s|80.1s").quantity
    assert found is not None
    assert "s" in found.dimensions


@pytest.mark.parametrize(
    ("header", "cells", "in_frame"),
    [
        ("Tokens/day", "21.6 B | 43.2 B", "250000"),
        ("M tokens/day", "21.6 B | 43.2 B", "250000"),
        ("M tokens/day", "21600 | 43200", "250000"),
        ("Tokens per hour", "1.8M tokens | 3.6M tokens", "500"),
        ("req/min", "12K | 18K", "200"),
        ("Images/h", "36k | 72k", "10"),
        ("GB/h", "3.6 TB | 7.2 TB", "1"),
        ("tok/s", "12K | 18K", "12000"),
    ],
)
def test_a_letter_in_a_cell_leaves_the_time_of_its_header(
    header: str, cells: str, in_frame: str
) -> None:
    """The letter says how many thousands, and the header in what time."""
    found = amount(header, cells)
    assert found is not None
    assert float(found) == pytest.approx(float(in_frame))
