"""A test's results as rows and sentences of a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from learning.alternative_annotator.procedure import LEAST_ITEMS, AltTest, AnnotatorTest
from learning.alternative_annotator.releases import Aspect, CodeTest, Overlap, ReleaseTest
from learning.alternative_annotator.report import notes, p_words
from learning.alternative_annotator.scores import ScoreName

SCORES = {
    ScoreName.ACCURACY: "same answer",
    ScoreName.RMSE: "distance of ratings",
    ScoreName.TOKEN_F1: "token F1",
}


@dataclass(frozen=True, slots=True)
class AnnotatorRow:
    annotator: str
    n: int
    advantage: float
    p: str
    model_wins: bool
    model_wins_by_post: bool


@dataclass(frozen=True, slots=True)
class CodeRow:
    """`passes` goes by the second line; None where nobody could be tested."""

    name: str
    score: str
    by_item: AltTest
    clustered: AltTest
    passes: bool | None
    annotators: tuple[AnnotatorRow, ...]
    notes: tuple[str, ...]

    @property
    def anchor(self) -> str:
        return self.name.casefold().replace(" ", "-")

    @property
    def is_surer_by_item(self) -> bool:
        """Whether only items that are taken for independent let it pass."""
        return self.by_item.passes is True and self.passes is False


def code_rows(test: ReleaseTest, names: Mapping[str, str]) -> list[CodeRow]:
    return [_row(code, names) for code in test.codes]


def _row(code: CodeTest, names: Mapping[str, str]) -> CodeRow:
    name = names.get(code.code, code.code)
    first, second = code.tests.by_item, code.tests.clustered or code.tests.by_item
    return CodeRow(
        name=f"{name}: evidence" if code.aspect is Aspect.EVIDENCE else name,
        score=SCORES[code.score],
        by_item=first,
        clustered=second,
        passes=code.tests.passes,
        annotators=tuple(_annotators(first.tested, second.tested)),
        notes=tuple(notes(first)),
    )


def _annotators(
    first: tuple[AnnotatorTest, ...], second: tuple[AnnotatorTest, ...]
) -> Iterator[AnnotatorRow]:
    by_post = {each.annotator: each for each in second}
    for each in first:
        other = by_post[each.annotator]
        p = p_words(other.p_adjusted)
        yield AnnotatorRow(each.annotator, each.n, each.advantage, p, each.rejected, other.rejected)


def verdicts(test: ReleaseTest, names: Mapping[str, str]) -> dict[str, list[str]]:
    """Names of what the model could stand in for, of what it could not, and of what nobody can tell."""
    rows = code_rows(test, names)
    return {
        "stands_in": [row.name for row in rows if row.passes],
        "does_not": [row.name for row in rows if row.passes is False],
        "untold": [row.name for row in rows if row.passes is None],
    }


def missing_words(overlap: Overlap) -> str:
    """What the test lacks, in sentences; empty where there are enough items for one annotator.

    >>> print(missing_words(Overlap(n_items=50, n_single=50, n_learned=0, n_suggested=0, n_unpredicted=0)))
    0 of 50 items can be used, and the test needs 30 of each annotator. On 50 fewer than two annotators' labels are \
known: open an overlap batch, and freeze a release that has them.
    """
    if overlap.n_used >= LEAST_ITEMS:
        return ""
    reasons = (
        (
            overlap.n_single,
            "fewer than two annotators' labels are known: open an overlap batch, and freeze a release that has them",
        ),
        (overlap.n_learned, "the model learned from the item or its post: what it learned proves nothing"),
        (overlap.n_suggested, "annotators saw a suggestion: have blind items judged"),
        (
            overlap.n_unpredicted,
            "nothing is known of what the model says: only test and blind items are kept",
        ),
    )
    said = [f"On {n:,} {words}." for n, words in reasons if n]
    return " ".join(
        [
            f"{overlap.n_used:,} of {overlap.n_items:,} items can be used, and the test needs {LEAST_ITEMS} of each "
            "annotator.",
            *said,
        ]
    )
