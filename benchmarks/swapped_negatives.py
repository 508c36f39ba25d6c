"""Trains the bi-encoder on EPITOME with and without swapped negatives, probes both, and writes a table.

    python -m benchmarks.swapped_negatives FOLDER POSTS --out OUT

FOLDER holds EPITOME's three Reddit tables as their authors give them out, POSTS is a file of posts about something
else. Only pairs of short texts are taken, which makes a training a matter of minutes. What is in OUT already is not
made again.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean

from annotation.release.read import read_release
from annotation.release.rows import SplitPart
from benchmarks.epitome import CODES, RATIO, made_release
from corpus.atomic_files import replace_file
from learning.adapters.card import Card
from learning.adapters.folder import read_card
from learning.probe.unrelated import read_unrelated
from learning.probe.values import ProbeReport, decode_probe, encode_probe
from learning.probe.words import gain_words, rate_words
from ml_backend.adapters.folder import load_adapter
from ml_backend.adapters.training import TrainingRequest, train_adapter
from ml_backend.learners.registry import learner_type, make_config
from ml_backend.probing import ProbeSettings, Unrelated, probe_adapter
from ml_backend.torch_setup import use_threads

LEARNER = "encoder-lora"
OPTIONS = {"full": True, "frozen_layers": 5, "epochs": 3, "learning_rate": 5e-4}
HEADS = (
    "swapped negatives",
    "seed",
    "code",
    "macro-F1",
    "sensitivity",
    "insertion",
    "own posts",
    "context gain",
)


def short_tables(data: Path, target: Path, most_words: int) -> Path:
    if target.exists():
        return target
    target.mkdir(parents=True)
    for code in CODES:
        name = f"{code}-reddit.csv"
        with (data / name).open(newline="", encoding="utf-8") as source:
            rows = csv.DictReader(source)
            short = [
                row
                for row in rows
                if max(len(row[part].split()) for part in ("seeker_post", "response_post")) <= most_words
            ]
        with (target / name).open("w", newline="", encoding="utf-8") as handle:
            written = csv.DictWriter(handle, list(short[0]))
            written.writeheader()
            written.writerows(short)
    return target


def train(release: Path, target: Path, share: float, seed: int) -> Card:
    if not target.exists():
        config = make_config(learner_type(LEARNER), {**OPTIONS, "swapped_negatives": share})
        request = TrainingRequest(release, target, LEARNER, config, seed, 1)
        train_adapter(request, now=datetime.now(UTC), report=_say)
    return read_card(target)


def probe(adapter: Path, release: Path, posts: Path, target: Path, most: int) -> ProbeReport:
    if not target.exists():
        unrelated = Unrelated(posts.name, read_unrelated(posts))
        settings = ProbeSettings(most=most)
        found = probe_adapter(load_adapter(adapter), read_release(release), unrelated, settings, _say)
        replace_file(target, encode_probe(found))
    return decode_probe(target.read_bytes())


def _say(line: str) -> None:
    print(line, flush=True)


def rows_of(share: float, seed: int, card: Card, report: ProbeReport) -> Iterator[tuple[str, ...]]:
    measured = card.measures[SplitPart.TEST.value]
    scores = []
    for code in report.codes:
        found = measured.code(code.code_id)
        score = found.headline.value if found and found.headline.value is not None else 0.0
        scores.append(score)
        yield (
            *(f"{share:g}", f"{seed}", code.code_id, f"{100 * score:.1f}"),
            rate_words(code.sensitivity) if code.sensitivity else "–",
            *(
                [rate_words(code.insertion.rate), rate_words(code.insertion.own_posts)]
                if code.insertion
                else ["–", "–"]
            ),
            gain_words(code.context_gain).split(" (")[0],
        )
    gain = gain_words(report.mean_gain).split(" (")[0] if report.mean_gain else "–"
    yield (f"{share:g}", f"{seed}", "mean", f"{100 * mean(scores):.1f}", "", "", "", gain)


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, nargs="?", metavar="FOLDER", help="with the three tables")
    parser.add_argument("posts", type=Path, nargs="?", metavar="POSTS", help="a file of unrelated posts")
    parser.add_argument("--out", type=Path, default=Path("var/swapped-negatives"))
    parser.add_argument("--most-words", type=int, default=40, help="of either text; default: 40")
    parser.add_argument("--shares", type=float, nargs="*", default=[0.0, 0.5], help="default: 0 0.5")
    parser.add_argument("--seeds", type=int, nargs="*", default=[1], help="default: 1")
    parser.add_argument("--most", type=int, default=40, help="unrelated posts at most; default: 40")
    options = parser.parse_args(given)
    if options.data is None or options.posts is None:
        print("Name the folder with EPITOME's tables and a file of posts: Attune gives out neither.")
        return 0
    use_threads(1, with_torch=True)
    tables = short_tables(options.data, options.out / "tables", options.most_words)
    lines = [HEADS, ("---",) * len(HEADS)]
    for seed in options.seeds:
        release = made_release(tables, options.out / f"release-{seed}", seed, RATIO)
        for share in options.shares:
            name = f"{share:g}-{seed}"
            card = train(release, options.out / name, share, seed)
            report = probe(
                options.out / name, release, options.posts, options.out / f"{name}.json", options.most
            )
            lines += rows_of(share, seed, card, report)
    print("\n".join(f"| {' | '.join(line)} |" for line in lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
