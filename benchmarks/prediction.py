"""Times ways of predicting the same items in one run, and what the learner adds to a bare loop over its batches.

    python -m benchmarks.prediction [--items N] [--threads N] [--compile] [--onnx] [--adapter FOLDER --release FOLDER]

With an adapter and a release, its encoder reads the items of the test part instead of invented ones.

Processor seconds are compared, since a machine may be shared; the fastest of several rounds counts, the ways taken in
turn. Of ways that change the numbers, the share of equal answers is given: they are of use where it is 99.5% or more.
"""

from __future__ import annotations

import argparse
import copy
import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from annotation.release.read import read_release
from annotation.release.rows import SplitPart
from benchmarks.invented_items import invented_examples
from benchmarks.onnx_encoder import with_onnx
from codebook.questions import model_questions
from codebook.shipped import load_shipped
from ml_backend.adapters.folder import load_adapter
from ml_backend.encoder.backbone import load_backbone
from ml_backend.encoder.batches import batches, by_length
from ml_backend.encoder.config import EncoderConfig
from ml_backend.encoder.layers import inputs_of
from ml_backend.encoder.learner import EncoderLora
from ml_backend.encoder.lora import with_lora
from ml_backend.encoder.network import Network
from ml_backend.encoder.packing import make_pack
from ml_backend.encoder.preparing import Prepared
from ml_backend.encoder.scoring import BATCH_SIZE, scores_of
from ml_backend.examples import Example, examples_of
from ml_backend.learners.scores import item_prediction

ROUNDS = 3
WANTED_RATIO = 0.9
WANTED_EQUAL = 0.995
WANTED_P95_MS = 150.0
SINGLES = 60
BARE = "sorted and packed, with heads (the bare loop)"
LEARNER = "learner.predict, from texts to answers"

Work = Callable[[], object]


def quiet(line: str) -> None:
    """Nobody listens."""


def padded_loop(encoder: Any, network: Network, prepared: Sequence[Prepared], order: Sequence[int]) -> None:
    """Plain: a tensor for each view of a batch, as long as its longest text; nothing but the encoder."""
    with torch.inference_mode():
        for places in batches(prepared, order, BATCH_SIZE):
            for view in network.plan.views:
                windows = [window for at in places for window in prepared[at].views[view].windows]
                encoder(**inputs_of(make_pack(windows, network.pad), network.takes_types))


def bare_loop(network: Network, prepared: Sequence[Prepared]) -> None:
    """The network over the very batches that the learner makes, and nothing else."""
    with torch.inference_mode():
        for places in batches(prepared, by_length(prepared), BATCH_SIZE):
            network([prepared[at] for at in places])


def fastest(ways: Mapping[str, Work]) -> dict[str, float]:
    found: dict[str, float] = {}
    for _ in range(ROUNDS):
        for name, work in ways.items():
            start = time.process_time()
            work()
            seconds = time.process_time() - start
            found[name] = min(seconds, found.get(name, seconds))
    return found


def in_int8(network: Network) -> Network:
    """Its linear layers with weights of eight bits, and activations scaled as they come."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found: Network = torch.ao.quantization.quantize_dynamic(
            copy.deepcopy(network), {nn.Linear}, dtype=torch.qint8
        )
    return found


def compile_network(network: Network, prepared: Sequence[Prepared]) -> Network:
    """Warmed up, which is not timed."""
    found = copy.deepcopy(network)
    found.encoder = torch.compile(found.encoder, dynamic=True)
    bare_loop(found, prepared)
    return found


def share_equal(learner: EncoderLora, other: Network, prepared: Sequence[Prepared]) -> float:
    """Of all answers, after thresholds."""
    found = []
    for network in (learner.network, other):
        scores = scores_of(network, learner.questions, prepared, quiet)
        said = (
            item_prediction(each.example, learner.questions, own, learner.rules, adapter_id="a")
            for each, own in zip(prepared, scores, strict=True)
        )
        found.append([code.value for each in said if each is not None for code in each.codes])
    return float(np.mean(np.array(found[0]) == np.array(found[1])))


def single_p95(learner: EncoderLora, on: Sequence[Example]) -> float:
    """Milliseconds of processor time for one item at a time."""
    found = []
    for example in on:
        start = time.process_time()
        learner.predict([example], adapter_id="a", report=quiet)
        found.append(1000 * (time.process_time() - start))
    return float(np.percentile(found, 95))


def invent_encoder(n_items: int) -> tuple[EncoderLora, list[Example]]:
    """An encoder that has learned next to nothing, which is as fast as any other."""
    codebook = load_shipped("empathy-practices")
    learner = EncoderLora(model_questions(codebook), EncoderConfig(epochs=1))
    train, dev = invented_examples(codebook, 48, 1), invented_examples(codebook, 24, 2)
    learner.fit(train, dev, seed=1, report=quiet)
    return learner, invented_examples(codebook, n_items, 3)


def trained(adapter: Path, release: Path, n_items: int) -> tuple[EncoderLora, list[Example]]:
    learner = load_adapter(adapter).learner
    if not isinstance(learner, EncoderLora):
        raise SystemExit(f"{adapter} is no encoder: name an adapter of the learner {EncoderLora.name}.")
    return learner, list(examples_of(read_release(release), SplitPart.TEST))[:n_items]


def ways_of(
    learner: EncoderLora, on: Sequence[Example], small: Network, also: Mapping[str, Network]
) -> dict[str, Work]:
    network, prepared = learner.network, learner.prepare(on)
    at_random, sorted_ = np.random.default_rng(1).permutation(len(on)).tolist(), by_length(prepared)
    apart = with_lora(load_backbone(learner.config.backbone, quiet), learner.config).eval()
    return {
        "plain: random order, LoRA apart": lambda: padded_loop(apart, network, prepared, at_random),
        "sorted by length, LoRA apart": lambda: padded_loop(apart, network, prepared, sorted_),
        "sorted, LoRA merged": lambda: padded_loop(network.encoder, network, prepared, sorted_),
        BARE: lambda: bare_loop(network, prepared),
        **{
            f"the same {how}": lambda other=other: bare_loop(other, prepared)  # type: ignore[misc]
            for how, other in {"in int8": small, **also}.items()
        },
        LEARNER: lambda: learner.predict(on, adapter_id="a", report=quiet),
    }


def run(learner: EncoderLora, on: Sequence[Example], also: Mapping[str, Network]) -> bool:
    small = in_int8(learner.network)
    seconds = fastest(ways_of(learner, on, small, also))
    plain = next(iter(seconds.values()))
    for name, took in seconds.items():
        print(
            f"{name:48} {len(on) / took:7.1f} items a second of processor time, {plain / took:.2f} of plain"
        )
    equal = share_equal(learner, small, learner.prepare(on))
    return _verdicts(seconds, equal, single_p95(learner, on[:SINGLES]))


def _verdicts(seconds: Mapping[str, float], equal: float, p95: float) -> bool:
    ratio = seconds[BARE] / seconds[LEARNER]
    print(f"learner.predict is {ratio:.3f} of the bare loop (at least {WANTED_RATIO} wanted)")
    print(f"int8 gives {100 * equal:.2f}% of the same answers (of use from {100 * WANTED_EQUAL}%)")
    print(f"one item: p95 {p95:.0f} ms of processor time (at most {WANTED_P95_MS:.0f} wanted)")
    return ratio >= WANTED_RATIO and p95 <= WANTED_P95_MS


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--items", type=int, default=300)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--compile", action="store_true", help="try torch.compile too; it warms up for long")
    parser.add_argument("--onnx", action="store_true", help="try the ONNX runtime too; see onnx_encoder.py")
    parser.add_argument("--adapter", type=Path, help="of an encoder, instead of one that has hardly learned")
    parser.add_argument("--release", type=Path, help="whose test part the adapter reads")
    options = parser.parse_args()
    if bool(options.adapter) != bool(options.release):
        parser.error("--adapter and --release go together.")
    torch.set_num_threads(options.threads)
    learner, on = (
        trained(options.adapter, options.release, options.items)
        if options.adapter
        else invent_encoder(options.items)
    )
    also = {}
    if options.compile:
        also["compiled"] = compile_network(learner.network, learner.prepare(on))
    if options.onnx:
        also["by ONNX"] = with_onnx(learner.network, threads=options.threads)
    return 0 if run(learner, on, also) else 1


if __name__ == "__main__":
    sys.exit(main())
