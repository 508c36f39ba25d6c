"""Examines a candidate: loads it, sees whether it reaches its scores again, and compares it with its opponent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from annotation.release.read import ReadRelease, read_release
from annotation.release.rows import SplitPart
from codebook.questions import model_questions
from learning.adapters.card import Card
from learning.adapters.folder import AdapterBroken, PickleRefused
from learning.predictions.rows import CodePrediction, ItemPrediction
from learning.predictions.soundness import PredictionUnsound, check_code, questions_by_code
from learning.promotion.findings import Findings, LeftOut, Reproduced
from learning.promotion.items import DecidingItems, blind_items, deciding_items
from learning.promotion.ledger import name_posts
from learning.promotion.swap_test import SwapTest, swap_test
from learning.promotion.verdict import deciding_metric, left_out_words
from learning.scoring.cases import NotMeasurable
from learning.scoring.compare import Comparison, Paired, compare, pair_up
from learning.scoring.evaluate import evaluate
from learning.scoring.traded_places import traded_places
from learning.scoring.values import Evaluation
from learning.tasks.contract import ExamineRequest, ExamineResult
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import ProgressWriter
from ml_backend.adapters.folder import Adapter, load_adapter
from ml_backend.examples import Example, examples_in, examples_of, labelled_questions
from ml_backend.learners.interface import Config, Learner, SettingsUnreadable, WeightsUnreadable
from ml_backend.learners.shares import Majority
from ml_backend.torch_setup import use_threads

BASELINE = "majority"
NO_ITEM_LEFT = "No item of the test part is left to compare on: freeze a release with a larger test part."
UNFIT = (AdapterBroken, PickleRefused, SettingsUnreadable, WeightsUnreadable)


@dataclass(frozen=True, slots=True)
class _Opponent:
    learner: Learner
    adapter_id: str
    seen: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Blind:
    items: DecidingItems
    examples: tuple[Example, ...]


NOTHING_LEFT_OUT = LeftOut()
NO_BLIND = _Blind(DecidingItems((), NOTHING_LEFT_OUT), ())


def examine(folder: TaskFolder, request: ExamineRequest, progress: ProgressWriter) -> ExamineResult:
    """An adapter that does not load is something found, and no failure of the task."""
    release = read_release(Path(request.release), expected_hash=request.release_hash)
    try:
        progress.say("Loading the candidate")
        candidate = _load(Path(request.candidate), request.threads)
    except UNFIT as problem:
        return _not_compared(request, Path(request.candidate).name, problem=f"It does not load: {problem}")
    reproduced = _reproduce(candidate, release, progress)
    try:
        opponent = _opponent(request, release, progress)
    except UNFIT as problem:
        words = f"The one in service does not load: {problem} Or retire it, then examine the candidate again."
        return _not_compared(request, candidate.card.id, reproduced=reproduced, not_compared=words)
    return _compare(request, release, candidate, opponent, reproduced, progress)


def _load(folder: Path, threads: int) -> Adapter:
    adapter = load_adapter(folder)
    use_threads(threads, with_torch=adapter.learner.uses_torch)
    return adapter


def _not_compared(
    request: ExamineRequest,
    candidate: str,
    *,
    problem: str = "",
    reproduced: Reproduced | None = None,
    not_compared: str = "",
    left_out: LeftOut = NOTHING_LEFT_OUT,
) -> ExamineResult:
    """Where there is no comparison."""
    findings = Findings(
        candidate=candidate,
        opponent=_opponent_id(request),
        release_hash=request.release_hash,
        problem=problem,
        reproduced=reproduced,
        left_out=left_out,
        comparison=None,
        not_compared=not_compared,
    )
    return ExamineResult(findings=findings)


def _opponent_id(request: ExamineRequest) -> str | None:
    return Path(request.incumbent).name if request.incumbent else None


def _opponent(request: ExamineRequest, release: ReadRelease, progress: ProgressWriter) -> _Opponent:
    if request.incumbent is not None:
        progress.say("Loading the one in service")
        incumbent = _load(Path(request.incumbent), request.threads)
        return _Opponent(incumbent.learner, incumbent.card.id, incumbent.seen.all())
    train = examples_of(release, SplitPart.TRAIN)
    learner = Majority(labelled_questions(model_questions(release.codebook), train), Config())
    learner.fit(train, (), seed=request.seed, report=progress.say)
    return _Opponent(learner, BASELINE, frozenset())


def _compare(
    request: ExamineRequest,
    release: ReadRelease,
    candidate: Adapter,
    opponent: _Opponent,
    reproduced: Reproduced,
    progress: ProgressWriter,
) -> ExamineResult:
    deciding = deciding_items(
        release.rows, seen_by_candidate=candidate.seen.all(), seen_by_opponent=opponent.seen
    )
    blind = _blind(request, release, candidate.seen.all() | opponent.seen)
    n_chosen = deciding.left_out.chosen + blind.items.left_out.chosen
    left_out = msgspec.structs.replace(deciding.left_out, chosen=n_chosen)
    examples = [*examples_in(release, deciding.rows), *blind.examples]
    progress.say(f"Comparing on {len(examples):,} items")
    first = candidate.learner.predict(examples, adapter_id=candidate.card.id, report=progress.say)
    second = _keep_comparable(release, opponent, examples, progress)
    rows = [*deciding.rows, *blind.items.rows]
    try:
        comparison = compare(
            rows,
            first,
            second,
            release.codebook,
            part_of_split=SplitPart.TEST,
            resamples=request.resamples,
            seed=request.seed,
        )
    except NotMeasurable:
        words = f"{NO_ITEM_LEFT} {left_out_words(left_out)}".rstrip()
        return _not_compared(
            request, candidate.card.id, reproduced=reproduced, not_compared=words, left_out=left_out
        )
    findings = Findings(
        candidate=candidate.card.id,
        opponent=_opponent_id(request),
        release_hash=request.release_hash,
        problem="",
        reproduced=reproduced,
        left_out=left_out,
        comparison=comparison,
        n_blind=len(blind.items.rows),
        blind_release_hash=request.blind.release_hash if request.blind and blind.items.rows else "",
        chance=_chance(request, release, comparison, pair_up(rows, first, second, SplitPart.TEST), progress),
    )
    return ExamineResult(findings=findings, posts=name_posts(rows))


def _chance(
    request: ExamineRequest,
    release: ReadRelease,
    comparison: Comparison,
    pair: Paired,
    progress: ProgressWriter,
) -> SwapTest | None:
    """Of the mean that decides; None where no theme has a value by its measure."""
    kinds = {code.id: question.answer for question, code in release.codebook.coded_questions()}
    metric = deciding_metric(comparison, kinds)
    trade = traded_places(pair, release.codebook, metric) if metric else None
    if trade is None:
        return None
    progress.say("Asking whether chance could have made the gain")
    return swap_test(trade.gains, trade.n_differing, seed=request.seed, least_gain=request.least_gain)


def _blind(request: ExamineRequest, release: ReadRelease, seen: frozenset[str]) -> _Blind:
    """With the labels of a later release, if there is one; of another edition they cannot be compared."""
    if request.blind is None:
        return NO_BLIND
    labelled = read_release(Path(request.blind.release), expected_hash=request.blind.release_hash)
    if labelled.codebook != release.codebook:
        return NO_BLIND
    found = blind_items(
        labelled.rows,
        blind=frozenset(request.blind.item_ids),
        seen=seen,
        elsewhere=release.rows,
        tested={row.item.item_id for row in release.rows if row.split is SplitPart.TEST},
    )
    return _Blind(found, examples_in(labelled, found.rows))


def _keep_comparable(
    release: ReadRelease, opponent: _Opponent, examples: Sequence[Example], progress: ProgressWriter
) -> list[ItemPrediction]:
    """Without what another edition of the codebook asked otherwise: that cannot be compared."""
    questions = questions_by_code(release.codebook)
    predictions = opponent.learner.predict(examples, adapter_id=opponent.adapter_id, report=progress.say)

    def fits(prediction: CodePrediction) -> bool:
        try:
            check_code(prediction, questions)
        except PredictionUnsound:
            return False
        return True

    return [replace(each, codes=tuple(filter(fits, each.codes))) for each in predictions]


def _reproduce(candidate: Adapter, release: ReadRelease, progress: ProgressWriter) -> Reproduced:
    """On the very parts that its card has scores of."""
    n_scores, largest = 0, 0.0
    for name, on_card in candidate.card.measures.items():
        part = SplitPart(name)
        progress.say(f"Predicting the {part.value} part again")
        again = _evaluate_again(candidate, release, part, on_card, progress)
        if again.gold_hash != on_card.gold_hash:
            return Reproduced(n_scores=n_scores, largest=None)
        pairs = _pairs(on_card, again)
        if any((before is None) != (after is None) for before, after in pairs):
            return Reproduced(n_scores=n_scores, largest=None)
        n_scores += len(pairs)
        largest = max([largest, *(abs((before or 0) - (after or 0)) for before, after in pairs)])
    return Reproduced(n_scores=n_scores, largest=largest)


def _evaluate_again(
    candidate: Adapter, release: ReadRelease, part: SplitPart, on_card: Evaluation, progress: ProgressWriter
) -> Evaluation:
    card: Card = candidate.card
    predictions = candidate.learner.predict(
        examples_of(release, part), adapter_id=card.id, report=progress.say
    )
    return evaluate(
        release.rows, predictions, release.codebook, part_of_split=part, resamples=0, seed=on_card.seed
    )


def _pairs(before: Evaluation, after: Evaluation) -> list[tuple[float | None, float | None]]:
    found: list[tuple[float | None, float | None]] = []
    for code in before.codes:
        again = after.code(code.code_id)
        for metric, score in code.scores.items():
            now = again.scores.get(metric) if again else None
            found.append((score.value, now.value if now else None))
    return found
