"""The encoder and TF-IDF together."""

from __future__ import annotations

from learning.learners.options import ENCODER, ENCODER_KEPT, STRENGTH
from learning.learners.spec import Kind, LearnerSpec, Option

SPEC = LearnerSpec(
    name="encoder-tfidf",
    title="Encoder and TF-IDF",
    words="The encoder and counted words answer together; evidence is the encoder’s.",
    inputs=("bi-encoder", "pair", "alone"),
    implementation="ml_backend.learners.blend:EncoderTfidf",
    in_docs=(
        "the encoder and TF-IDF together: a weighted mean of what both say (`--words-share`, 0.4 for TF-IDF)"
    ),
    evidence="words, sentences",
    rank=2,
    options=(*ENCODER, Option("words_share", "Share of counted words", Kind.NUMBER, "0.4"), STRENGTH),
    kept=ENCODER_KEPT,
)
