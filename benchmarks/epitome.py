"""Trains and measures learners on EPITOME over five splits, and writes the table of what was tried.

    python -m benchmarks.epitome FOLDER --out OUT            train what is not there yet, scores on the validation parts
    python -m benchmarks.epitome FOLDER --out OUT --test     the same table with the test parts, to be looked at once
    python -m benchmarks.epitome FOLDER --out OUT --learner micromodels --ratio 75:5:20 --seeds 1 2 3 … 10
                                                             one learner with its defaults, by another protocol

FOLDER holds the three Reddit tables as their authors give them out. What is in OUT already is not trained again, and a
training that was stopped goes on, so the command can be run in pieces; all of it takes hours on two cores.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import torch

from annotation.release.files import write_release
from annotation.release.labelled_table import read_labelled_tables
from annotation.release.release_from_table import ImportRequest, release_from_tables
from annotation.release.split import Ratio, read_ratio
from annotation.release.table_items import LabelColumn, TextColumns
from benchmarks.epitome_evidence import told_of
from benchmarks.epitome_published import published_of
from benchmarks.epitome_table import Trained, write_tables
from benchmarks.epitome_tried import TRIED, Tried
from codebook.shipped import load_shipped
from corpus.atomic_files import replace_file
from learning.adapters.folder import read_card
from ml_backend.adapters.training import TrainingRequest, train_adapter
from ml_backend.learners.registry import learner_type, make_config
from ml_backend.micromodels.reading import remembering_sentences

CODES = ("emotional-reactions", "interpretations", "explorations")
SEEDS = (1, 2, 3, 4, 5)
# The paper's 75:5:20 leaves four or five examples of a rare level to choose by.
RATIO: Ratio = (70, 10, 20)


def made_release(data: Path, target: Path, seed: int, ratio: Ratio) -> Path:
    """Split by seeker post; another seed is another split."""
    if target.exists():
        return target
    codebook = load_shipped("epitome")
    texts = TextColumns("seeker_post", "response_post", post_id="sp_id", reply_id="rp_id")
    columns = [LabelColumn(code, data / f"{code}-reddit.csv", "level", "rationales") for code in CODES]
    tables = read_labelled_tables(codebook, texts, columns)
    request = ImportRequest("EPITOME", "table", ratio, seed, licence="")
    write_release(target, release_from_tables(tables, codebook, request, now=datetime.now(UTC)))
    return target


def train(tried: Tried, seed: int, release: Path, out: Path, mpnet: Path | None) -> Trained:
    name = f"{tried.name}-{release.name}"
    target = out / "adapters" / name
    if not target.exists():
        print(f"== {tried.name}, seed {seed}", flush=True)
        backbone = {"backbone": str(mpnet)} if tried.on_mpnet else {}
        config = make_config(learner_type(tried.learner), {**tried.options, **backbone})
        threads = torch.get_num_threads()
        request = TrainingRequest(release, target, tried.learner, config, seed, threads)
        train_adapter(
            request,
            now=datetime.now(UTC),
            report=lambda line: print(line, flush=True),
            checkpoints=out / "checkpoints",
        )
    told = told_of(target, release, out / "told" / f"{name}.json")
    published = published_of(target, release, out / "published" / f"{name}.json")
    return Trained(tried, seed, read_card(target), told, published)


def run(
    data: Path,
    out: Path,
    configurations: Sequence[Tried],
    seeds: Sequence[int],
    *,
    with_test: bool,
    mpnet: Path | None = None,
    ratio: Ratio = RATIO,
) -> None:
    out.mkdir(parents=True, exist_ok=True)
    split = "-".join(map(str, ratio))
    releases = {seed: made_release(data, out / "releases" / f"{split}-{seed}", seed, ratio) for seed in seeds}
    found: list[Trained] = []
    with remembering_sentences():
        for tried in configurations:
            for seed in seeds:
                if seed <= tried.n_seeds and (mpnet or not tried.on_mpnet):
                    found.append(train(tried, seed, releases[seed], out, mpnet))
    for name, content in write_tables(found, with_test=with_test).items():
        replace_file(out / name, content.encode())
        if name.endswith(".md"):
            print(content)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, nargs="?", metavar="FOLDER", help="with the three tables")
    parser.add_argument("--out", type=Path, default=Path("var/epitome"), help="default: var/epitome")
    parser.add_argument(
        "--only", nargs="*", default=[], choices=[tried.name for tried in TRIED], metavar="NAME"
    )
    parser.add_argument("--learner", help="this one alone, with its default options")
    parser.add_argument("--ratio", type=read_ratio, default=RATIO, help="of the parts; default: 70:10:20")
    parser.add_argument("--seeds", nargs="*", type=int, default=SEEDS, help="of splits; default: 1 to 5")
    parser.add_argument(
        "--mpnet", type=Path, metavar="FOLDER", help="with MPNet-base, for what is tried on it"
    )
    parser.add_argument("--threads", type=int, default=0, help="of torch; default: as it chooses")
    parser.add_argument("--test", action="store_true", help="show the test parts too")
    options = parser.parse_args()
    if options.data is None:
        print("Name the folder with EPITOME's tables: its authors give them out, Attune does not.")
        return 0
    if options.threads:
        torch.set_num_threads(options.threads)
    configurations = [tried for tried in TRIED if not options.only or tried.name in options.only]
    if options.learner:
        configurations = [Tried(options.learner, options.learner, n_seeds=max(options.seeds))]
    run(
        options.data,
        options.out,
        configurations,
        options.seeds,
        with_test=options.test,
        mpnet=options.mpnet,
        ratio=options.ratio,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
