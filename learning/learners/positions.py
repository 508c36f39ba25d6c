"""Sentences by their place alone."""

from __future__ import annotations

from codebook.schema import AnswerKind
from learning.learners.spec import Kind, LearnerSpec, Option

SPEC = LearnerSpec(
    name="positions",
    title="Positions",
    words="Marks sentences by where they stand, who speaks and what is known of the item: it reads no words. What "
    "another learner finds beyond it, words tell.",
    inputs=("alone",),
    implementation="ml_backend.learners.positions:Positions",
    in_docs=(
        "for codes that ask which sentences: boosted trees on where a sentence stands, who speaks and what is "
        "known of the item. A baseline: it reads no words"
    ),
    evidence="sentences",
    rank=9,
    options=(Option("trees", "Trees", Kind.WHOLE, "200", "Boosted one after the other."),),
    is_baseline=True,
    reads_text=False,
    answers=(AnswerKind.SENTENCES,),
)
