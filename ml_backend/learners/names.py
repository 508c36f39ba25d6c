"""What learners are called, apart from what they are: a command that lists them loads nothing large."""

from __future__ import annotations

LEARNERS = (
    "encoder-lora",
    "encoder-tfidf",
    "generative-lora",
    "few-shot",
    "tfidf-logistic",
    "majority",
    "random",
)
DEFAULT = LEARNERS[0]
