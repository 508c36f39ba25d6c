"""What is kept of an estimate, and read again."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from annotation.consensus.competence_values import Competence
from backend.decide.competence.models import CompetenceEstimate


class ThemeCompetence(msgspec.Struct, frozen=True):
    """`n_items` counts the items of the theme that two people or more judged."""

    code: str
    name: str
    n_items: int
    annotators: list[Competence]


def encode_themes(themes: Sequence[ThemeCompetence]) -> str:
    return msgspec.json.encode(themes).decode()


def read_themes(estimate: CompetenceEstimate) -> list[ThemeCompetence]:
    return msgspec.json.decode(estimate.themes, type=list[ThemeCompetence])


def own_themes(themes: Sequence[ThemeCompetence], username: str) -> list[ThemeCompetence]:
    """Only what is about this person; nobody else's figures, and no number from which they follow."""
    return [
        ThemeCompetence(
            each.code, each.name, each.n_items, [row for row in each.annotators if row.annotator == username]
        )
        for each in themes
    ]
