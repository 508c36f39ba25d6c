"""A pretrained encoder with low-rank additions."""

from __future__ import annotations

from learning.learners.options import ENCODER, ENCODER_KEPT
from learning.learners.spec import LearnerSpec

SPEC = LearnerSpec(
    name="encoder-lora",
    title="Encoder with LoRA",
    words="A pretrained encoder, a head for each theme, and words as evidence. Minutes on two cores.",
    inputs=("bi-encoder", "pair", "alone"),
    implementation="ml_backend.encoder.learner:EncoderLora",
    in_docs=(
        "a pretrained encoder with low-rank additions (LoRA), a head for each code, and a word head for each code "
        "with evidence"
    ),
    evidence="words, sentences",
    rank=1,
    options=ENCODER,
    kept=ENCODER_KEPT,
)
