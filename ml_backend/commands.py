"""What the commands do, once their arguments are read."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from annotation.release.read import ReadRelease, read_release
from annotation.release.rows import SplitPart
from corpus.atomic_files import replace_file
from corpus.errors import MissingColumn
from learning.learners.spec import learns_evidence
from learning.predictions.explanations import write_explanations
from learning.predictions.files import JSONL, PARQUET, write_predictions
from learning.predictions.rows import ItemPrediction
from learning.probe.unrelated import read_unrelated
from learning.probe.values import encode_probe
from learning.probe.words import probe_lines
from learning.scoring.evaluate import evaluate as evaluate_predictions
from learning.scoring.files import encode
from ml_backend.adapters.folder import Adapter, load_adapter
from ml_backend.adapters.training import TrainingRequest, train_adapter
from ml_backend.examples import Example, TextColumns, examples_in_table, examples_of
from ml_backend.learners.continuing import config_from
from ml_backend.learners.interface import Report
from ml_backend.learners.registry import learner_type
from ml_backend.probing import ProbeSettings, Unrelated, probe_adapter
from ml_backend.score_lines import score_lines
from ml_backend.torch_setup import use_threads

NOT_CONFIG = frozenset({"command", "release", "out", "learner", "seed", "threads", "checkpoints", "parent"})


class WrongEnding(ValueError):
    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is to hold predictions: end its name with {JSONL} or {PARQUET}.")


class ColumnNotNamed(ValueError):
    def __init__(self, problem: MissingColumn) -> None:
        super().__init__(
            f"{problem} Name them with --id-column, --post-column, --reply-column and --title-column, or say "
            "--no-reply if the table has posts alone."
        )


def train(options: Namespace, report: Report) -> None:
    given = {
        name: value for name, value in vars(options).items() if name not in NOT_CONFIG and value is not None
    }
    learner = learner_type(options.learner)
    config = config_from(learner, given, options.parent)
    threads = use_threads(options.threads, with_torch=learner.uses_torch)
    request = TrainingRequest(
        options.release, options.out, options.learner, config, options.seed, threads, parent=options.parent
    )
    card = train_adapter(request, now=datetime.now(UTC), report=report, checkpoints=options.checkpoints)
    for part, evaluation in card.measures.items():
        print(f"{part}:")
        print("\n".join(score_lines(evaluation, gives_evidence=learns_evidence(card.config))))
    if card.unlearned:
        report(f"Without a label to learn from, and so not predicted: {', '.join(card.unlearned)}")
    print(f"{options.out}\nadapter {card.id}")


def evaluate(options: Namespace, report: Report) -> None:
    if options.predictions is not None:
        _check_ending(options.predictions)
    release = read_release(options.release)
    adapter = load_adapter(options.adapter)
    use_threads(options.threads, with_torch=adapter.learner.uses_torch)
    parts = list(SplitPart) if options.split == "all" else [SplitPart(options.split)]
    examples = [example for part in parts for example in examples_of(release, part)]
    _warn(adapter, release, examples, report)
    predictions = adapter.learner.predict(examples, adapter_id=adapter.card.id, report=report)
    evaluation = evaluate_predictions(
        release.rows,
        predictions,
        release.codebook,
        part_of_split=None if options.split == "all" else parts[0],
        resamples=options.resamples,
        seed=options.seed,
    )
    if options.predictions is not None:
        own_ids = {row.item.item_id: (row.item.post_id, row.item.reply_id) for row in release.rows}
        write_predictions(options.predictions, predictions, release.codebook, own_ids=own_ids)
    if options.out is not None:
        replace_file(options.out, encode(evaluation))
    print("\n".join(score_lines(evaluation, gives_evidence=learns_evidence(adapter.card.config))))


def predict(options: Namespace, report: Report) -> None:
    _check_ending(options.out)
    reply = None if options.no_reply else options.reply_column
    columns = TextColumns(options.id_column, options.post_column, reply, options.title_column)
    try:
        examples = examples_in_table(options.texts, columns)
    except MissingColumn as problem:
        raise ColumnNotNamed(problem) from problem
    adapter = load_adapter(options.adapter)
    use_threads(options.threads, with_torch=adapter.learner.uses_torch)
    report(f"{len(examples):,} items, {len(adapter.card.codes)} codes, adapter {adapter.card.id}")
    if options.explain is not None:
        write_explanations(options.explain, adapter.learner.explain(examples, adapter_id=adapter.card.id))
    predictions = adapter.learner.predict(examples, adapter_id=adapter.card.id, report=report)
    write_predictions(options.out, predictions, adapter.codebook)
    report_left_out(examples, predictions, report)
    print(f"{options.out}: {len(predictions):,} items predicted")


def probe(options: Namespace, report: Report) -> None:
    release = read_release(options.release)
    adapter = load_adapter(options.adapter)
    use_threads(options.threads, with_torch=adapter.learner.uses_torch)
    part = SplitPart(options.split)
    _warn(adapter, release, examples_of(release, part), report)
    settings = ProbeSettings(
        part, options.most, options.utterances, options.resamples, options.seed, options.contradiction
    )
    unrelated = None
    if options.unrelated is not None:
        posts = read_unrelated(
            options.unrelated, post_column=options.post_column, reply_column=options.reply_column
        )
        unrelated = Unrelated(options.unrelated.name, posts)
    found = probe_adapter(adapter, release, unrelated, settings, report)
    if options.out is not None:
        replace_file(options.out, encode_probe(found))
    if options.format == "json":
        print(encode_probe(found).decode(), end="")
    else:
        print("\n".join(probe_lines(found)))


def fewest_seeds(options: Namespace, report: Report) -> None:
    """Imported only now, as torch is."""
    from ml_backend.micromodels.config import MicromodelsConfig
    from ml_backend.micromodels.fewest_seeds import score_sizes, size_lines, sizes_csv

    use_threads(options.threads, with_torch=True)
    config = MicromodelsConfig(**({"backbone": options.backbone} if options.backbone else {}))
    release = read_release(options.release)
    found = score_sizes(release, config, options.sizes, seed=options.seed, report=report)
    print("\n".join(size_lines(found, options.margin)))
    if options.out is not None:
        replace_file(options.out, sizes_csv(found).encode())


def simulate(options: Namespace, report: Report) -> None:
    """Imported only now: the others do not need the libraries behind, which take seconds to load."""
    from ml_backend.curves.command import simulate_active_learning

    simulate_active_learning(options, report)


def transfer(options: Namespace, report: Report) -> None:
    """Imported only now: figures and regressions take seconds to load."""
    from ml_backend.transfer.command import transfer as run_study

    run_study(options, report)


def cause_table(options: Namespace, report: Report) -> None:
    from ml_backend.cause_table.command import cause_table as make_table

    make_table(options, report)


def _check_ending(path: Path) -> None:
    """Before the work, not after it."""
    if path.suffix not in (JSONL, PARQUET):
        raise WrongEnding(path)


def _warn(adapter: Adapter, release: ReadRelease, examples: Sequence[Example], report: Report) -> None:
    """Measures on what was learned from flatter, and those under other definitions mean something else."""
    if release.manifest.edition.hash != adapter.card.release.edition_hash:
        report("Note: the release was made with another edition of the codebook than the adapter.")
    learned = {*adapter.seen.train, *adapter.seen.validation}
    n_seen = sum(example.item_id in learned for example in examples)
    if n_seen:
        report(
            f"Note: {n_seen:,} of these {len(examples):,} items were used in training: "
            "scores on them flatter the adapter."
        )


def report_left_out(
    examples: Sequence[Example], predictions: Sequence[ItemPrediction], report: Report
) -> None:
    left_out = len(examples) - len(predictions)
    if left_out:
        report(f"Left out: {left_out:,} items without a part that the adapter judges")
    cut = sum(prediction.n_truncated > 0 for prediction in predictions)
    if cut:
        report(
            f"Not all was read of {cut:,} items, context cut first; the file says of which and how many tokens"
        )
