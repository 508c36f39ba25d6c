"""The labelled texts that share the most words, with weighted votes."""

from __future__ import annotations

from learning.learners.spec import Kind, LearnerSpec, Option

SPEC = LearnerSpec(
    name="nearest-neighbour",
    title="Nearest neighbours",
    words="The labelled texts that share the most words vote. It keeps the counted words of each text.",
    inputs=("alone", "pair"),
    implementation="ml_backend.learners.nearest_neighbour:NearestNeighbour",
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
