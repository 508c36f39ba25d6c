"""Gold and predictions by hand, for tests: what matters is named, the rest is as in any release."""

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from annotation.release.rows import (
    Evidence,
    FinalLabel,
    LabelSource,
    ReleaseItem,
    ReleaseRow,
    Snippet,
    SpanSource,
    SplitPart,
    Texts,
)
from codebook.schema import AnswerKind, Codebook, Part, Question
from codebook.shipped import load_shipped
from learning.predictions.rows import CodePrediction, ItemPrediction, PredictedSpan, answer_values
from learning.scoring.evaluate import evaluate
from learning.scoring.values import Evaluation

PRACTICES, EPITOME = load_shipped("empathy-practices"), load_shipped("epitome")
CAUSES, RATINGS = load_shipped("empathy-cause"), load_shipped("construct-ratings")
POST, REPLY = "I feel lost. What now?", "That sounds hard. I would talk to them."
Places = Mapping[str, Sequence[tuple[int, int]]]


def first_code(codebook: Codebook) -> str:
    return next(code.id for _, code in codebook.coded_questions())


def questions(codebook: Codebook) -> dict[str, Question]:
    return {code.id: question for question, code in codebook.coded_questions()}


def gold_row(
    item_id: str,
    values: Mapping[str, int | None],
    codebook: Codebook,
    *,
    post_id: str | None = None,
    spans: Places | None = None,
    split: SplitPart = SplitPart.TEST,
    texts: Texts | None = Texts("A title", POST, REPLY),  # noqa: B008
) -> ReleaseRow:
    item = ReleaseItem(item_id, "reddit", "lane", post_id or f"p-{item_id}", f"r-{item_id}", False, (), texts)
    by_code = questions(codebook)
    labels = tuple(
        _label(code, value, by_code[code].part, (spans or {}).get(code, ())) for code, value in values.items()
    )
    return ReleaseRow(item, split, labels)


def _label(code: str, value: int | None, part: Part, spans: Sequence[tuple[int, int]]) -> FinalLabel:
    snippets = tuple(Snippet(part, start, end, 1.0) for start, end in spans)
    return FinalLabel(
        code=code,
        value=value,
        source=LabelSource.NOT_ASKED if value is None else LabelSource.SINGLE,
        confidence=None if value is None else 1.0,
        weight=1.0,
        edition="e",
        is_superseded=False,
        n_annotators=1,
        evidence=Evidence(snippets, SpanSource.SINGLE if snippets else None),
        votes=(),
        decision=None,
    )


def predicted(
    item_id: str,
    values: Mapping[str, int],
    codebook: Codebook,
    *,
    probabilities: Mapping[str, Sequence[float]] | None = None,
    spans: Places | None = None,
    adapter_id: str = "adapter-1",
    n_truncated: int = 0,
) -> ItemPrediction:
    by_code = questions(codebook)
    codes = tuple(
        CodePrediction(
            code_id=code,
            value=value,
            probabilities=tuple(
                zip(answer_values(by_code[code]), (probabilities or {}).get(code, ()), strict=False)
            ),
            spans=tuple(
                PredictedSpan(by_code[code].part, start, end, 1.0)
                for start, end in (spans or {}).get(code, ())
            ),
        )
        for code, value in values.items()
    )
    return ItemPrediction(item_id, codes, adapter_id, n_truncated)


def random_study(
    codebook: Codebook, *, n: int, seed: int, skill: float = 0.6
) -> tuple[list[ReleaseRow], list[ItemPrediction]]:
    """Items two to a post, with a model that is right about as often as `skill` says."""
    rng = np.random.default_rng(seed)
    rows, predictions = [], []
    for at in range(n):
        gold, said, chances = {}, {}, {}
        gold_spans, said_spans = {}, {}
        for code, question in questions(codebook).items():
            values = answer_values(question)
            gold[code] = int(rng.choice(values))
            said[code] = gold[code] if rng.random() < skill else int(rng.choice(values))
            drawn = rng.dirichlet(np.ones(len(values)) + 3 * (np.array(values) == said[code]))
            chances[code] = cast("list[float]", drawn.round(2).tolist())
            if gold[code] in question.present_values:
                gold_spans[code] = _place(rng)
            if said[code] in question.present_values:
                said_spans[code] = gold_spans.get(code) if rng.random() < skill else _place(rng)
            if question.answer is AnswerKind.SENTENCES:
                gold[code], said[code] = int(code in gold_spans), int(code in said_spans)
        item, post = f"item-{at:03d}", f"p{at // 2}"
        rows.append(gold_row(item, gold, codebook, post_id=post, spans=gold_spans))
        places = {code: found or _place(rng) for code, found in said_spans.items()}
        predictions.append(predicted(item, said, codebook, probabilities=chances, spans=places))
    return rows, predictions


def _place(rng: np.random.Generator) -> list[tuple[int, int]]:
    start = int(rng.integers(0, 12))
    return [(start, start + int(rng.integers(2, 9)))]


def measured(
    rows: Sequence[ReleaseRow],
    predictions: Sequence[ItemPrediction],
    codebook: Codebook,
    *,
    resamples: int = 0,
    split: SplitPart | None = None,
) -> Evaluation:
    return evaluate(rows, predictions, codebook, part_of_split=split, resamples=resamples, seed=3)
