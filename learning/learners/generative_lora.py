"""An instruct model with low-rank additions."""

from __future__ import annotations

from dataclasses import replace

from learning.learners.options import ALPHA, BATCH, EPOCHS, PATIENCE, PROMPT, RANK
from learning.learners.spec import RATE, Kind, LearnerSpec, Option

SPEC = LearnerSpec(
    name="generative-lora",
    title="Instruct model with LoRA",
    words=(
        "Is asked one question for each theme, answers in words and quotes the text. "
        "Large ones want a graphics card."
    ),
    inputs=("alone", "pair"),
    implementation="ml_backend.generative.learner:GenerativeLora",
    in_docs="an instruct model with LoRA, asked one question for each code; answers in JSON",
    evidence="quotes, sentences",
    rank=3,
    options=(
        *PROMPT,
        replace(EPOCHS, default="3"),
        PATIENCE,
        replace(BATCH, default="32"),
        Option("at_once", "At once", Kind.WHOLE, "2", "Answers of a batch in memory together."),
        Option(RATE, "Learning rate", Kind.NUMBER, "2e-05"),
        Option("weight_decay", "Weight decay", Kind.NUMBER, "0.01"),
        RANK,
        replace(ALPHA, default="16"),
    ),
    kept=("input", "backbone", "rank", "alpha"),
)
