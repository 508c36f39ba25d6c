"""Likeness to words that people marked."""

from __future__ import annotations

from dataclasses import replace

from codebook.schema import AnswerKind
from learning.learners.options import BACKBONE
from learning.learners.spec import Kind, LearnerSpec, Option

SPEC = LearnerSpec(
    name="micromodels",
    title="Micromodels",
    words="Looks for sentences that are like words that people marked, and shows which ones. It keeps these words.",
    inputs=("alone", "pair"),
    implementation="ml_backend.micromodels.learner:MicromodelsLearner",
    in_docs=(
        "how like the sentences of a text are to words that people marked, with a curve for each group of marked "
        "words; it shows which of them fired: [micromodels.md](micromodels.md). Its file keeps the marked words"
    ),
    evidence="words, sentences",
    rank=11,
    options=(
        replace(
            BACKBONE,
            help="Reads each sentence. A packaged name, a folder on the server, or a name on the hub.",
        ),
        Option(
            "groups",
            "Micromodels of a code",
            Kind.WHOLE,
            "40",
            "So many groups of marked words that are alike; 1 has all that were marked in one.",
        ),
        Option(
            "seeds_per_code",
            "Seeds of a code",
            Kind.WHOLE,
            "50",
            "Of the words that were marked for a code those that stand best for all, at most so many; 0 keeps all.",
            least=0,
        ),
        Option(
            "endings",
            "Share of endings",
            Kind.NUMBER,
            "0.2",
            "Of a likeness how much goes by the mark at the end: a question is more like a question.",
        ),
        Option(
            "threshold",
            "Threshold",
            Kind.NUMBER,
            "chosen on the validation part",
            "From this likeness up, 0 to 1, a sentence is evidence.",
        ),
        Option("evidence", "Mark sentences", Kind.FLAG, "yes", "Those behind an answer, as evidence."),
        Option("balance", "Balance", Kind.NUMBER, "0.5", "0 counts answers as they are, 1 by rarity."),
        Option(
            "bags", "Bags", Kind.WHOLE, "8", "Curves are the mean over so many, each fitted to other items."
        ),
        Option("max_tokens", "Length", Kind.WHOLE, "128", "Tokens of a sentence; the rest is cut."),
    ),
    answers=(AnswerKind.TICK, AnswerKind.LEVELS, AnswerKind.SENTENCES),
)
