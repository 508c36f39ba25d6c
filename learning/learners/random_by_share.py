"""Answers at random, as often as they were given."""

from __future__ import annotations

from learning.learners.spec import LearnerSpec

SPEC = LearnerSpec(
    name="random",
    title="Random",
    words="Answers drawn as often as they were given.",
    inputs=("alone",),
    implementation="ml_backend.learners.shares:RandomByShare",
    in_docs="answers drawn as often as they are in the train part",
    evidence="none",
    rank=8,
    is_baseline=True,
    reads_text=False,
)
