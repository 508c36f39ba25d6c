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
    in_docs=(
        "for codes that ask which sentences: each sentence is read by itself, those of both texts look at each "
        "other, then the judged ones among themselves; with places, who speaks, the emotion and boosted trees "
        "beside: [cause.md](cause.md)"
    ),
    evidence="sentences",
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
        Option(
            "relations",
            "Relations",
            Kind.FLAG,
            "yes",
            "Reads too how alike a sentence is to the other text and to its neighbours, and how long they are. Not "
            "while the backbone is trained.",
        ),
        Option(
            "trees",
            "Trees",
            Kind.WHOLE,
            "200",
            "Boosted beside the network; the mean of both is said. 0 has none, as has a backbone that is trained.",
            least=0,
        ),
        Option(
            "layers",
            "Layers",
            Kind.WHOLE,
            "2",
            "In which the judged sentences look at each other; 0 has none.",
            least=0,
        ),
        Option(
            "networks",
            "Networks",
            Kind.WHOLE,
            "3",
            "The mean of so many is taken. One while the backbone is trained.",
        ),
        Option("loss", "Loss", Kind.WORDS, "cross-entropy", choices=("focal", "cross-entropy")),
        Option("gamma", "Gamma", Kind.NUMBER, "2", "Of the focal loss: 0 is cross-entropy."),
        Option(
            "positive_weight", "Weight of marked", Kind.NUMBER, "1", "What a marked sentence counts, to 1."
        ),
        Option(
            "hidden",
            "Hidden units",
            Kind.WHOLE,
            "128",
            "Of the layers, a multiple of 4; without these of the head, where 0 has none.",
            least=0,
        ),
        Option("dropout", "Dropout", Kind.NUMBER, "0.3", "Before the head and in it."),
        replace(EPOCHS, default="10"),
        replace(PATIENCE, default="4"),
        Option(
            "restart",
            "Epochs to a restart",
            Kind.WHOLE,
            "10",
            "The rate falls along a cosine, then starts again.",
        ),
        replace(BATCH, default="32"),
        Option("accumulate", "Batches of a step", Kind.WHOLE, "1", "Whose gradients are added up."),
        Option(RATE, "Learning rate", Kind.NUMBER, "0.001, or 0.0001 where the backbone is trained"),
        Option("max_tokens", "Length", Kind.WHOLE, "64", "Tokens of a sentence; the rest is cut."),
    ),
    answers=(AnswerKind.SENTENCES,),
    kept=("backbone", "train_backbone", "frozen_layers", "pooling", "attention", "positions", "hidden"),
)
