"""The labelled texts that share the most words, with weighted votes."""

from __future__ import annotations

from learning.learners.spec import Kind, LearnerSpec, Option

SPEC = LearnerSpec(
    name="nearest-neighbour",
    title="Nearest neighbours",
    words="The labelled texts that share the most words vote. It keeps the counted words of each text.",
    inputs=("alone", "pair"),
    implementation="ml_backend.learners.nearest_neighbour:NearestNeighbour",
    in_docs=(
        "the labelled texts that share the most words by TF-IDF vote, the nearer the more; how many vote is chosen"
        " on the validation part (`--neighbours` sets it). Its file keeps the counted words of each text that it "
        "learned from: whoever has it can tell much of what was said"
    ),
    evidence="sentences only",
    rank=6,
    options=(
        Option(
            "neighbours",
            "Neighbours",
            Kind.WHOLE,
            "0",
            "How many vote; 0 chooses the best number on the validation part.",
            least=0,
        ),
    ),
)
