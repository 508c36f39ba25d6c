"""The one order of judgments: the same judgments give the same hash and the same draws, however they were read."""

from dataclasses import replace

from annotation.agreement.reports import RetestJudgments
from annotation.agreement.values import BatchJudgments, ItemAnswer


def judgments_in_order(judgments: BatchJudgments) -> BatchJudgments:
    """Codes stay in the order of the codebook."""
    return replace(
        judgments,
        items=tuple(sorted(judgments.items, key=lambda item: item.item_id)),
        raters=tuple(sorted(judgments.raters)),
        answers=tuple(sorted(judgments.answers, key=_by_item_and_rater)),
    )


def retests_in_order(judgments: RetestJudgments) -> RetestJudgments:
    return replace(
        judgments,
        items=tuple(sorted(judgments.items, key=lambda item: item.item_id)),
        retests=tuple(sorted(judgments.retests, key=lambda retest: _by_item_and_rater(retest.before))),
    )


def _by_item_and_rater(answer: ItemAnswer) -> tuple[str, str]:
    return answer.item_id, answer.rater
