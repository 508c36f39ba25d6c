"""A small batch that can be reckoned by hand, and pieces of others."""

from annotation.agreement.values import BatchJudgments, ItemAnswer, JudgedCode, JudgedItem
from codebook.schema import AnswerKind, Part

TICK = JudgedCode("comfort", Part.REPLY, AnswerKind.TICK, True, (0, 1), (1,))
LEVELS = JudgedCode("depth", Part.REPLY, AnswerKind.LEVELS, True, (0, 1, 2), (1, 2))
SCALE = JudgedCode("warmth", Part.REPLY, AnswerKind.SCALE, False, (1, 2, 3, 4, 5), ())
SENTENCES = JudgedCode("cause", Part.POST, AnswerKind.SENTENCES, False, (0, 1), (1,))


def judged(item_id: str, *, cluster: str | None = None, n_sentences: int = 3) -> JudgedItem:
    counts = {Part.POST: n_sentences, Part.REPLY: n_sentences}
    return JudgedItem(item_id, cluster or item_id, {Part.POST: 20, Part.REPLY: 20}, counts)


def said(
    item_id: str,
    rater: str,
    values: dict[str, int],
    *,
    evidence: dict[str, tuple[int, ...]] | None = None,
    sentences: dict[str, tuple[int, ...]] | None = None,
    flagged: bool = False,
) -> ItemAnswer:
    return ItemAnswer(item_id, rater, values, evidence or {}, sentences or {}, flagged)


def batch(
    codes: list[JudgedCode], answers: list[ItemAnswer], *, posts: dict[str, str] | None = None
) -> BatchJudgments:
    """Items and raters are those that the answers name."""
    items = sorted({answer.item_id for answer in answers})
    raters = tuple(sorted({answer.rater for answer in answers}))
    judged_items = tuple(judged(item, cluster=(posts or {}).get(item)) for item in items)
    return BatchJudgments(tuple(codes), judged_items, raters, tuple(answers))


def ticks(table: dict[str, dict[str, int]], code: JudgedCode = TICK) -> list[ItemAnswer]:
    """Answers to one code, by item and rater."""
    return [
        said(item, rater, {code.code_id: value})
        for item, row in table.items()
        for rater, value in row.items()
    ]
