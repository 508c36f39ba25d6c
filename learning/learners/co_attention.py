"""Co-attention between the sentences of two texts."""

from __future__ import annotations

from dataclasses import replace

from codebook.schema import AnswerKind
from learning.learners.options import BACKBONE, BATCH, EPOCHS, PATIENCE
from learning.learners.spec import RATE, Kind, LearnerSpec, Option

SPEC = LearnerSpec(
    name="co-attention",
    title="Co-attention",
    words="Which sentences of a text the other text answers to: sentences read one by one, looking at each other.",
    inputs=("bi-encoder",),
    implementation="ml_backend.co_attention.learner:CoAttentionLearner",
    rank=10,
    options=(
        replace(
            BACKBONE,
            help="Reads each sentence. A packaged name, a folder on the server, or a name on the hub.",
        ),
        Option(
            "train_backbone",
            "Train the backbone",
            Kind.FLAG,
            "no",
            "Else each sentence is read once, which is many times faster.",
        ),
        Option(
            "frozen_layers",
            "Frozen layers",
            Kind.WHOLE,
            "0",
            "Of a backbone that is trained the lowest ones stay as they are: faster.",
            least=0,
        ),
        Option(
            "pooling", "Pooling", Kind.WORDS, "mean", "What stands for a sentence.", choices=("mean", "cls")
        ),
        Option(
            "attention", "Co-attention", Kind.FLAG, "yes", "Else the mean of the other text stands beside."
        ),
        Option(
            "positions",
            "Positions",
            Kind.FLAG,
            "yes",
            "Reads too where a sentence stands, who speaks and what is known of the item.",
        ),
        Option("loss", "Loss", Kind.WORDS, "focal", choices=("focal", "cross-entropy")),
        Option("gamma", "Gamma", Kind.NUMBER, "2", "Of the focal loss: 0 is cross-entropy."),
        Option(
            "positive_weight", "Weight of marked", Kind.NUMBER, "1", "What a marked sentence counts, to 1."
        ),
        Option("hidden", "Hidden units", Kind.WHOLE, "64", "Of the head; 0 has none.", least=0),
        Option("dropout", "Dropout", Kind.NUMBER, "0.3", "Before the head and in it."),
        replace(EPOCHS, default="20"),
        replace(PATIENCE, default="4"),
        Option(
            "restart",
            "Epochs to a restart",
            Kind.WHOLE,
            "5",
            "The rate falls along a cosine, then starts again.",
        ),
        replace(BATCH, default="4"),
        Option("accumulate", "Batches of a step", Kind.WHOLE, "4", "Whose gradients are added up."),
        Option(RATE, "Learning rate", Kind.NUMBER, "0.001, or 0.0001 where the backbone is trained"),
        Option("max_tokens", "Length", Kind.WHOLE, "64", "Tokens of a sentence; the rest is cut."),
    ),
    answers=(AnswerKind.SENTENCES,),
    kept=("backbone", "train_backbone", "frozen_layers", "pooling", "attention", "positions", "hidden"),
)
