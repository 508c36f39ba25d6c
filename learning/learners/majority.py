"""The commonest answer."""

from __future__ import annotations

from learning.learners.spec import LearnerSpec

SPEC = LearnerSpec(
    name="majority",
    title="Majority",
    words="Always the commonest answer.",
    inputs=("alone",),
    implementation="ml_backend.learners.shares:Majority",
    in_docs="the commonest answer of the train part",
    evidence="none",
    rank=7,
    is_baseline=True,
    reads_text=False,
)
