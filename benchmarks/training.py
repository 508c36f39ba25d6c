"""Trains the default learner on as many items as a team labels, and times it.

    python -m benchmarks.training [--items N] [--threads N] [--epochs N]

1,300 pairs with 13 themes are wanted within 10 minutes on two cores, by the clock: run it where nothing else runs.
Processor time is printed beside it, and what it would be at best on two cores, if both were always busy.
"""

from __future__ import annotations

import argparse
import sys
import time

import torch

from benchmarks.invented_items import invented_examples
from codebook.questions import model_questions
from codebook.shipped import load_shipped
from ml_backend.encoder.config import EncoderConfig
from ml_backend.encoder.learner import EncoderLora

WANTED_MINUTES = 10.0
N_CORES = 2
SHARE_OF_DEV = 0.25


def run(n_items: int, config: EncoderConfig) -> bool:
    codebook = load_shipped("empathy-practices")
    items = invented_examples(codebook, n_items, 1)
    n_dev = int(n_items * SHARE_OF_DEV)
    learner = EncoderLora(model_questions(codebook), config)
    started, used = time.perf_counter(), time.process_time()
    learner.fit(items[n_dev:], items[:n_dev], seed=1, report=lambda line: print(line, flush=True))
    wall, processor = time.perf_counter() - started, time.process_time() - used
    on_two = processor / 60 / N_CORES
    print(
        f"{n_items:,} items, {len(learner.questions)} themes, {torch.get_num_threads()} threads: "
        f"{wall / 60:.1f} minutes, {processor / 60:.1f} of processor time; at best {on_two:.1f} on two cores "
        f"(at most {WANTED_MINUTES:.0f} minutes wanted)"
    )
    return wall / 60 <= WANTED_MINUTES


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--items", type=int, default=1300)
    parser.add_argument("--threads", type=int, default=0, help="of torch; default: as it chooses")
    parser.add_argument("--epochs", type=int, default=EncoderConfig().epochs)
    options = parser.parse_args()
    if options.threads:
        torch.set_num_threads(options.threads)
    return 0 if run(options.items, EncoderConfig(epochs=options.epochs)) else 1


if __name__ == "__main__":
    sys.exit(main())
