"""An instruct model that is shown labelled texts."""

from __future__ import annotations

from learning.learners.options import PROMPT
from learning.learners.spec import Kind, LearnerSpec, Option

SPEC = LearnerSpec(
    name="few-shot",
    title="Few-shot prompting",
    words="An instruct model as it is, shown a few labelled texts before each question. Nothing is trained.",
    inputs=("alone", "pair"),
    implementation="ml_backend.generative.few_shot:FewShot",
    in_docs=(
        "an instruct model as it is, shown 4 to 6 labelled items before each question; nothing is trained"
    ),
    evidence="quotes, sentences",
    rank=4,
    options=(
        *PROMPT,
        Option("demonstrations", "Demonstrations", Kind.WHOLE, "6", "Labelled texts to show, 4 to 6."),
    ),
)
