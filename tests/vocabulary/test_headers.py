"""Parsing headers: quantity, unit, statistic and settings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdbench.vocabulary.headers import Header, read_header
from mdbench.vocabulary.quantities import standard_vocabulary

STANDARD = standard_vocabulary()

QUANTITIES = {
    "nodes": "Nodes|NNODES|# Nodes|num_nodes|Number of nodes|节点数|ノード数",
    "devices": r"# HPU|Num TPU|# of chips|Accelerator count|"
    r"GPUs|# GPUs|\# gpus|Num GPUs|gpu num|NGPU|World size|GPU卡数|卡数|NumGPUs",
    "devices_per_node": "GPUs/node|GPU num per node|每节点GPU数|gpus_per_node",
    "dp": "DP|Data parallel|data_parallel_size",
    "tp": "TP|tp size|MP|model parallel|Tensor model-parallel size|张量并行",
    "pp": "PP|pipeline parallel|Pipeline MP Size",
    "cp": "CP|Context Parallel",
    "ep": "EP|Expert parallel",
    "vp": "VP|VPP",
    "etp": "ETP",
    "micro_batch": "MBS|Micro Batch Size|MicroBatchSize|micro_batch_size|batch size/GPU|"
    "Batch size per device|BS/GPU|local batch size|per_device_train_batch_size|Mic-BS",
    "global_batch": "GBS|Global bsz|Glob-BS|GlobalBatchSize|Train Batch Size",
    "global_batch_tokens": "GlobalBatchSize (T)|Global batch size (tokens)",
    "grad_accum": "GA|GAS|GradAccum|Gradient accumulation steps|accumulation steps|micro num",
    "seq_len": "Sequence Length|seqlen|Seq. Len.|**Sequence Len**|SeqLen (T)|序列长度|SL",
    "input_len": "input len|Input Length|ISL|输入长度|prompt eval count",
    "output_len": "output len|OSL|输出长度|max_new_tokens",
    "memory_len": "Memory length",
    "params": "Number of params (Billion)|"
    "params|Parameters(B)|NumParams|Number of parameters (billion)|参数量|Model size (B)",
    "layers": r"Layers|num\_layers|层数",
    "hidden": "hidden-size|Hidden units num|d_model|Hidden Size (h)",
    "heads": "num-attention-heads|NHeads|Attention heads",
    "vocab": "Vocab size",
    "precision": "Precision|Data type|dtype|精度",
    "quantization": "Quantization|量化",
    "activation_checkpointing": "AC|Activation Checkpointing|activation ckpt|重计算",
    "clock_ghz": "Freq|频率|Frequency (MHz)|频点MHz|固定频点MHz",
    "model": "Model|Model Name|模型|モデル",
    "device": "Hardware|Accelerator|System|显卡|GPU type",
    "framework": "Framework|框架",
    "memory_mib": "Mem|Memory(GiB)|Max GPU RAM|Peak GPU Memory (GB)|GPU mem|显存(GB)|"
    "メモリ使用量 (GB)|Max. memory|GPU0 Memory Usage",
    "memory_share": "Memory (%)",
    "step_time_s": "Sec/it|s/iter|ms/iter @ step 10|time/it (ms)|Step time|秒/步|speed (s/it)|"
    "avg elapsed time per iteration (ms) over the first 50 iterations",
    "steps_per_s": "Iter/s|it/s|Steps per second|speed (it/s)",
    "samples_per_s": "Samples/s|Images/sec|[img/s]|Throughput (S/s)|sequences/sec|FPS|"
    "Throughput - TF32 (sequences/sec)|Throughput-Average(sent/sec)",
    "samples_per_s_per_device": "Samples/s/GPU|Throughput (img/s/GPU)",
    "tokens_per_s": "speed(tokens)|Throughput (tokens)|tg 128|Decode (tok/s)|"
    "Tokens/s|t/s|Token/sec|throughput(tokens/sec)|llama.cpp (t/s)|"
    "tokens/second (higher is better)|Average Eval Rate (tokens/s)|生成速度 (tokens/s)|"
    "Vanilla TP tokens/sec",
    "tokens_per_s_per_device": "1GPUあたり (トークン/秒)|单卡 (tokens/s)|"
    "Tokens/s  per GPU|tokens/sec/gpu|TGS|TPS/GPU|"
    "Throughput (T/s/GPU)|Tokens/sec (per GPU)|Approx tokens/sec/device",
    "tflops_per_device": "TFLOPs|TFlops|TFLOP/sec/chip|Model TFLOP|Achieved TFLOPS per GPU|"
    "Compute (TFLOPS)|Throughput (TFLOPs)",
    "pflops_total": "Est. Aggr. PetaFLOPs|Aggregate petaFLOP/s",
    "mfu": "MFU|MFU (%)|Model FLOPs Utilization|Percentage of theoretical peak FLOPS|16B MFU|"
    "OneFlow Percentage of theoretical peak FLOP/s",
    "hfu": "HFU",
    "latency_ms": "Latency|Latency Avg (ms)|FP16推理时延|avg latency|INT4 latency (ms)",
    "latency_p50_ms": "p50 (ms)|Latency interval 50% (s)|P50 latency|Median latency (ms)",
    "latency_p90_ms": "Latency 90%|Latency-90%(ms)|P90时延(ms)",
    "latency_p95_ms": "Latency 95%|P95 latency (ms)",
    "latency_p99_ms": "Latency (99%)|p99 latency",
    "latency_max_ms": "Max latency (ms)",
    "ttft_ms": "Prefill (ms)|TTFT|Time to first token (ms)|T_PP s|T_PP ms|首token时延(ms)",
    "tpot_ms": "TPOT (ms)|ms/token|Eval time (ms per token)",
    "itl_ms": "ITL (ms)|Mean ITL|Median inter-token latency|Avg TBT (ms)|token间延迟 (ms)",
    "mpki": "MPKI|MPKI (I-J-K)|Misses per 1000 instructions",
    "cache_hits": "Hits|QD=64 Hits|Cache hits|命中次数",
    "cache_misses": "L1-D Misses|LLC Miss|Cache misses|캐시 미스",
    "comparisons": "Compares|# Comparisons|比较次数",
    "configuration": "Environment|Env|运行环境|Umgebung",
    "train_time_h": "Time to train - mixed precision|Training Time|Training time (hours)|训练时间|"
    "Days for 1T tokens|Time to train with mixed precision (Hrs)",
    "decode_time_s": "T_TG s|T_TG ms|Decode (ms)|Decode time (s)",
    "prompt_tokens_per_s": "S_PP t/s|Prefill (tok/s)|pp512|PP (t/s)|"
    "Average prompt eval speed (tokens/s)",
    "total_len": "N_KV",
    "samples": "Num Samples|# samples",
    "variation": "CV|CV (%)",
    "share": "Share|% of total|占比",
    "method": "Scaling Method|algo NCCL picks|Algorithm used",
    "offload": "CPU Offload|Opt Offl|Par Offl|KV Cache Offload",
    "ffn_hidden": "FFN",
    "time_s": "时间(s)|总时长s|Duration (s)|restart_seconds",
    "epoch_time_s": "Epoch time|Training time per epoch (min)",
    "speedup": "Speedup|FT Decoding speedup|Weak scaling - FP32|Speedup (vs legacy)|加速比|"
    "lightseq-fp16/tf-fp32, speedup|Time to train speedup|Speedup over BF16",
    "efficiency": "Scaling efficiency|Efficiency (%)",
    "change": "Delta Time vs Baseline|相对基线时长|时间Δ|Memory reduction|vs. baseline",
    "power_w": "Avg Power (W)|功率(W)|平均功率W|Power",
    "energy_j": "Energy (kJ)|能耗(J)|总能耗J",
    "tokens_per_joule": "tokens/J|`tokens/J`",
    "cost_usd": "Cost|Cost ($)",
    "bus_bandwidth_gb_per_s": "busbw|Bus Bandwidth (Gbps)",
    "bandwidth_gb_per_s": "algbw|GB/sec|Bandwidth (Gbps)|Interconnect (GB/s)|Global Memory (GB/s)|"
    "Bandwidth Used|Bandwidth used (bytes)|Bandwidth (GB)",
    "message_bytes": "Message Size (Bytes)|Batch Size(Bytes)|payload",
    "accuracy": "Accuracy - FP32|Top1 Acc|**MMLU（Accuracy↑）**",
    "perplexity": "Perplexity (wiki.test)|**PTB（PPL↓）**",
    "loss": "Validation loss|Loss",
    "bleu": "BLEU",
    "score": "MMLU|GSM8K|C-Eval|HellaSwag|CEval (val)|Note globale",
    "bits_per_weight": "Bits per Weight (BPW)",
    "ngl": "ngl",
    "backend": "backend",
    "benchmark": "test|Benchmark|Workload Type|Task category|任务类型",
    "dataset": "Dataset|Distribution|File Type",
    "requests": "prompt no|Num prompts",
    "gemm_m": "m",
    "notes": "Notes|备注|備考|Comments",
    "date": "date|Release Date",
    "status": "Status|状态",
    "link": "wandb|repo|Log",
    "commit": "commit",
}


@pytest.mark.parametrize(
    ("text", "name"),
    [(text, name) for name, texts in QUANTITIES.items() for text in texts.split("|")],
)
def test_a_header_names_its_quantity(text: str, name: str) -> None:
    header = read_header(text, STANDARD)
    assert header.quantity is not None, header
    assert header.quantity.name == name


@pytest.mark.parametrize(
    ("text", "candidates"),
    [
        ("Speed", {"step_time_s", "steps_per_s", "tokens_per_s", "samples_per_s"}),
        ("Throughput", {"tokens_per_s", "samples_per_s", "tflops_per_device"}),
        ("Throughput - mixed precision", {"tokens_per_s", "samples_per_s"}),
        ("Throughput per GPU", {"tokens_per_s_per_device", "samples_per_s_per_device"}),
        ("Batch size", {"batch", "micro_batch", "global_batch"}),
        ("バッチサイズ", {"batch", "micro_batch", "global_batch"}),
        ("GPU", {"device", "devices"}),
        ("Time", {"time_s", "step_time_s", "latency_ms"}),
        ("Time (s)", {"time_s", "step_time_s", "latency_ms"}),
        ("lightseq(ms)", {"time_s", "step_time_s", "latency_ms"}),
        ("TF(ms)", {"time_s", "step_time_s", "latency_ms"}),
        ("BS", {"batch", "micro_batch", "global_batch"}),
        ("TG", {"output_len", "tokens_per_s"}),
        ("Size", {"params", "model_file_mib"}),
        ("Size (B)", {"params", "message_bytes"}),
    ],
)
def test_an_ambiguous_header_gives_candidates(text: str, candidates: set[str]) -> None:
    header = read_header(text, STANDARD)
    assert header.quantity is None
    assert candidates <= {one.name for one in header.candidates}


@pytest.mark.parametrize(
    "text",
    ["", "   ", "![](picture.png)", "lost steps", "# of Eval Rates", "Tool Usage", "resume @ step"],
)
def test_unknown_header_has_no_quantity(text: str) -> None:
    header = read_header(text, STANDARD)
    assert header.quantity is None
    assert not header.candidates
    assert not header.settings


@pytest.mark.parametrize("text", ["512", "**1024**", "64K", "0.5"])
def test_a_bare_number_is_the_value_of_a_pivot(text: str) -> None:
    header = read_header(text, STANDARD)
    assert header.quantity is None
    assert not header.candidates
    assert "pivot" in header.why


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Tokens (K/s)", "tokens_per_s"),
        ("Requests (k/s)", "requests_per_s"),
        ("Throughput (K req/s)", "requests_per_s"),
        ("kQPS", "requests_per_s"),
        ("Rows (M/s)", "items_per_s"),
        ("Operations (M/s)", "ops_per_s"),
    ],
)
def test_thousands_per_second_are_a_rate_of_what_is_named(text: str, name: str) -> None:
    header = read_header(text, STANDARD)
    assert header.quantity is not None
    assert header.quantity.name == name


@pytest.mark.parametrize("text", ["Throughput (M/s)", "Wind (m/s)", "Steps (m/s)", "Lookups (M/s)"])
def test_thousands_per_second_of_nothing_known_have_no_unit(text: str) -> None:
    header = read_header(text, STANDARD)
    assert header.unit is None


@pytest.mark.parametrize(
    ("text", "dimension", "scale"),
    [
        ("Mem (GiB)", "byte", 2**30),
        ("Latency [us]", "s", 1e-6),
        ("Sec/it", "s/step", 1),
        ("ms/iter", "s/step", 1e-3),
        ("tf-fp32, ms", "s", 1e-3),
        ("TFLOPs", "flop/s", 1e12),
        ("Est. Aggr. PetaFLOPs", "flop/s", 1e15),
        ("总时长s", "s", 1),
        ("频点MHz", "Hz", 1e6),
        ("Energy (kJ)", "J", 1000),
        ("Training time (hours)", "s", 3600),
        ("Training time per epoch (min)", "s", 60),
        ("Parameters(B)", "param", 1e9),
        ("Params (M)", "param", 1e6),
        ("SeqLen (T)", "token", 1),
        ("MFU (%)", "ratio", 0.01),
        ("% of peak", "ratio", 0.01),
        ("Throughput (T/s/GPU)", "token/s/device", 1),
        ("Memory (GiBs)", "byte", 2**30),
        ("Bandwidth (GBs)", "byte/s", 1e9),
        ("Token throughput (K/s)", "token/s", 1e3),
        ("Ops (M/s)", "op/s", 1e6),
        ("Messages (M/sec)", "item/s", 1e6),
        ("時間 (ms)", "s", 1e-3),
        ("時間 (us/op)", "s/op", 1e-6),
    ],
)
def test_a_header_states_its_unit(text: str, dimension: str, scale: float) -> None:
    unit = read_header(text, STANDARD).unit
    assert unit is not None
    assert unit.dimension == dimension
    assert float(unit.scale) == pytest.approx(scale)


@pytest.mark.parametrize(
    "text",
    ["Mem", "GPUs", "Nodes", "Batch size", "Layers", "時間", "Hidden Size (h)", "Parameters"],
)
def test_a_noun_is_not_taken_for_a_unit(text: str) -> None:
    assert read_header(text, STANDARD).unit is None


@pytest.mark.parametrize(
    ("text", "statistic"),
    [
        ("Latency Avg", "mean"),
        ("Latency-Average", "mean"),
        ("Median tokens/s", "median"),
        ("Throughput 90%", "p90"),
        ("P99 latency (ms)", "p99"),
        ("Latency (95%)", "p95"),
        ("Peak memory", "max"),
        ("Max. GPU memory", "max"),
        ("mean (s)", "mean"),
        ("min (s)", "min"),
        ("平均功率W", "mean"),
        ("Pred Power (W)", "predicted"),
        ("Max seq length", ""),
        ("Memory", ""),
    ],
)
def test_a_header_names_its_statistic(text: str, statistic: str) -> None:
    assert read_header(text, STANDARD).statistic == statistic


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("FP16 latency (ms)", {"precision": "FP16"}),
        ("Throughput - mixed precision", {"precision": "mixed precision"}),
        ("bs=16", {"batch": "16"}),
        ("sl=8192", {"seq_len": "8192"}),
        ("seq_len 2048", {"seq_len": "2048"}),
        ("8 GPUs", {"devices": "8"}),
        ("FP16, 8x GPUs", {"precision": "FP16", "devices": "8"}),
        ("8 × GPUs", {"devices": "8"}),
        ("Single GPU", {"devices": "1"}),
        ("tg 512", {"output_len": "512"}),
        ("pp 512", {"input_len": "512"}),
        ("pp 4", {"pp": "4"}),
        ("PP=4 TP=8", {"pp": "4", "tp": "8"}),
        ("vocab=128,000", {"vocab": "128,000"}),
        ("8B Q4_K_M", {"params": "8B", "quantization": "Q4_K_M"}),
        ("16B TFLOP/sec/chip", {"params": "16B"}),
        ("2xP40", {"device": "P40", "devices": "2"}),
        ("H200 MFU", {"device": "H200"}),
        ("Raspberry Pi 5", {"device": "Raspberry Pi 5"}),
        ("OPT-6.7B", {"model": "OPT-6.7B"}),
        ("ResNet50", {"model": "ResNet50"}),
        ("FT(ms)", {"framework": "FT"}),
        ("static `1005 MHz`", {"clock_ghz": "1005 MHz"}),
        ("MMLU", {"benchmark": "MMLU"}),
        ("QuALITY", {"benchmark": "QuALITY"}),
        ("Path Quality", {}),
        ("Arc", {}),
        ("相对 baseline tokens/J", {}),
        ("Baseline tokens/s", {"method": "Baseline"}),
        ("Speedup over BF16", {}),
        ("Throughput speedup (TF32 - mixed precision)", {}),
        ("Batch size / GPU: mixed precision, FP32", {}),
        ("T5-base latency", {"model": "T5-base"}),
        ("T2 latency", {}),
    ],
)
def test_a_header_states_settings(text: str, settings: dict[str, str]) -> None:
    assert dict(read_header(text, STANDARD).settings) == settings


def test_a_device_and_its_memory_are_separate_settings() -> None:
    settings = dict(read_header("256xA100 80GB", STANDARD).settings)
    assert settings.pop("device") == "A100"
    assert settings.pop("devices") == "256"
    assert list(settings.values()) == ["80GB"]


SPELLINGS = sorted({text for one in STANDARD.quantities.values() for text in one.spellings})


def meaning(header: Header) -> tuple[object, ...]:
    return header.quantity, header.candidates, header.unit and header.unit.dimension


@given(st.text(max_size=60))
def test_any_text_is_read(text: str) -> None:
    assert read_header(text, STANDARD).text == text


@given(
    st.lists(
        st.sampled_from(["avg", "GPU", "(ms)", "%", "时延", "bs=1", "/", "x", "8"]), max_size=6
    )
)
def test_any_sequence_of_header_words_is_read(words: list[str]) -> None:
    assert read_header(" ".join(words), STANDARD).why


@given(
    st.sampled_from(SPELLINGS), st.sampled_from(["**{}**", "  {}  ", "_{}_", "<b>{}</b>", "{}:"])
)
def test_markup_and_padding_make_no_difference(text: str, around: str) -> None:
    assert meaning(read_header(around.format(text), STANDARD)) == meaning(
        read_header(text, STANDARD)
    )


@given(st.sampled_from([text for text in SPELLINGS if text.isascii()]))
def test_case_makes_no_difference_to_the_quantity(text: str) -> None:
    read = {
        read_header(text, STANDARD).quantity,
        read_header(text.upper(), STANDARD).quantity,
    }
    assert read == {read_header(text.lower(), STANDARD).quantity}


@pytest.mark.parametrize(
    ("text", "name", "settings"),
    [
        ("Latency of 2-way TP (ms)", "latency_ms", (("tp", "2"),)),
        ("llama2-7b kv int8", None, (("kv_cache", "int8"), ("model", "llama2-7b"))),
        ("평균요청 처리시간", "latency_ms", ()),
        ("Accumulated Batch size / GPU (Phase 1)", "batch", ()),
        ("Throughput per GPU (tokens/s)", "tokens_per_s_per_device", ()),
    ],
)
def test_words_that_qualify_a_header(
    text: str, name: str | None, settings: tuple[tuple[str, str], ...]
) -> None:
    header = read_header(text, STANDARD)
    assert (header.quantity.name if header.quantity else None) == name
    assert header.settings == settings


@pytest.mark.parametrize("text", ["MiniVal AP", "Val1.0 APr", "Novel box AP", "val_AP50"])
def test_an_average_precision_is_a_score(text: str) -> None:
    header = read_header(text, STANDARD)
    assert header.quantity is not None
    assert header.quantity.name == "score"


@pytest.mark.parametrize(
    ("text", "name", "unit", "statistic"),
    [
        ("H200 peak (GiB)", None, "GiB", "max"),
        ("Peak fp8 TFLOPS (theoretical)", "peak_tflops", "TFLOPS", ""),
        ("bf16 / fp8 TFLOPS (theoretical)", "peak_tflops", "TFLOPS", ""),
        ("benchmark (ppl)", "perplexity", None, ""),
        ("Total energy_j", "energy_j", "J", ""),
        ("Speed field", None, None, ""),
        ("Field", "metric", None, ""),
        ("Depth", None, None, ""),
    ],
)
def test_the_parts_of_a_header_agree(
    text: str, name: str | None, unit: str | None, statistic: str
) -> None:
    header = read_header(text, STANDARD)
    assert (header.quantity.name if header.quantity else None) == name
    assert (header.unit.text if header.unit else None) == unit
    assert header.statistic == statistic


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("builds / h", 3600),
        ("deploys/day", 86400),
        ("Jobs per minute", 60),
        ("peak commits / hour", 3600),
        ("Lookups per s", 1),
    ],
)
def test_things_in_a_time_are_a_rate(text: str, seconds: int) -> None:
    header = read_header(text, STANDARD)
    assert header.quantity is not None
    assert header.quantity.name == "items_per_s"
    assert header.unit is not None
    assert float(header.unit.scale) == pytest.approx(1 / seconds)


@pytest.mark.parametrize(
    ("text", "dimension"),
    [
        ("Wh / build", "J/item"),
        ("MB per checkpoint", "byte/item"),
        ("bytes/key", "byte/item"),
        ("MB/s per drive", "byte/s/item"),
        ("$ / model", "usd/item"),
        ("hours per model", "s/item"),
    ],
)
def test_so_much_for_each_thing_is_nothing_of_its_half(text: str, dimension: str) -> None:
    """Energy for each build is no energy of a run, and no time of a build either."""
    header = read_header(text, STANDARD)
    assert header.quantity is None
    assert header.unit is not None
    assert header.unit.dimension == dimension


@pytest.mark.parametrize("text", ["Price / h", "Score / $", "Cost per build"])
def test_a_quantity_divided_by_something_is_unknown(text: str) -> None:
    header = read_header(text, STANDARD)
    assert (header.quantity, header.candidates, header.unit) == (None, (), None)


@pytest.mark.parametrize(
    ("text", "name", "unit"),
    [
        ("Latency / ms", "latency_ms", "ms"),
        ("Energy / J", "energy_j", "J"),
        ("Training time / h", "train_time_h", "h"),
        ("min / build", "build_time_s", "min"),
        ("Seconds per build", "build_time_s", "Seconds"),
    ],
)
def test_a_stroke_may_stand_before_the_unit(text: str, name: str, unit: str) -> None:
    header = read_header(text, STANDARD)
    assert header.quantity is not None
    assert header.unit is not None
    assert (header.quantity.name, header.unit.text) == (name, unit)


@pytest.mark.parametrize(
    ("text", "name", "scale"),
    [
        ("QPS (万)", "requests_per_s", 1e4),
        ("IOPS(万)", "ops_per_s", 1e4),
        ("请求数(亿)", "requests", 1e8),
        ("Requests (millions)", "requests", 1e6),
        ("처리량 (만 건/s)", "items_per_s", 1e4),
        ("每小时 token(万)", "tokens_per_s", 1e4 / 3600),
        ("Requests", "requests", None),
        ("Parameters (B)", "params", 1e9),
    ],
)
def test_a_word_for_a_number_multiplies_what_is_named(
    text: str, name: str, scale: float | None
) -> None:
    header = read_header(text, STANDARD)
    assert header.quantity is not None
    assert header.quantity.name == name
    assert (header.unit is None) is (scale is None)
    if header.unit is not None:
        assert float(header.unit.scale) == pytest.approx(scale)
