"""Annotators who follow suggestions by a known amount, in a batch of the bench."""

from __future__ import annotations

import random

from annotation.answers import Answers, Span, canonical_answers, shown_codes
from backend.annotate.batches.models import Batch
from backend.core.accounts.models import User
from backend.design.samples.models import Item
from backend.design.samples.selectors import item_text
from backend.learn.prelabels.models import KeptPrediction
from backend.learn.prelabels.predicting import read_kept
from learning.prelabel_experiment.values import Condition
from learning.suggestions.answers import suggested_answers
from tests.backend.learn.prelabels.fixtures import Bench


def judge_all(
    bench: Bench, batch: Batch, *, pull: float, seed: int = 1, annotator: User | None = None
) -> None:
    """With suggestions they take all of it with probability `pull`; else they find nothing."""
    draw = random.Random(seed)
    for item in bench.items:
        follows = bench.conditions(batch)[item.item_id] is Condition.SUGGESTED and draw.random() < pull
        answers = _models(bench, item) if follows else None
        bench.submit(
            batch,
            item,
            answers or bench.nothing_found(item),
            annotator=annotator,
            seconds=20 if follows else 40,
        )
    bench.poll()


def _models(bench: Bench, item: Item) -> Answers | None:
    kept = KeptPrediction.objects.filter(item=item).first()
    prediction = read_kept(kept) if kept else None
    if prediction is None:
        return None
    text = item_text(item)
    said = suggested_answers(bench.codebook, text, prediction)
    # Words that the codebook asks for and the model has none of, a person adds.
    marked = {span.code_id for span in said.spans}
    values = {judgment.code_id: judgment.value for judgment in said.judgments}
    words = [
        Span(code.id, question.part, 0, 5)
        for question, code in shown_codes(bench.codebook, text)
        if values[code.id] in question.present_values and code.id not in marked
    ]
    return canonical_answers(bench.codebook, text, values, [*said.spans, *words], None)
