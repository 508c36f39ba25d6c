"""TF-IDF with logistic regression."""

from __future__ import annotations

from learning.learners.options import STRENGTH, TARGETS
from learning.learners.spec import LearnerSpec

SPEC = LearnerSpec(
    name="tfidf-logistic",
    title="TF-IDF + logistic regression",
    words="Counts words and letters. Trains in seconds and is strong: beat it or say so.",
    inputs=("alone", "pair"),
    implementation="ml_backend.learners.tfidf:TfidfLogistic",
    in_docs=(
        "words (1–2) and characters (2–5) weighted by TF-IDF, class-balanced logistic regression; seconds to "
        "train, and a bar that has to be cleared"
    ),
    evidence="sentences only",
    rank=5,
    options=(STRENGTH, TARGETS),
    is_baseline=True,
)
