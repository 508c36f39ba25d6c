"""Puts labelled items into the parts of the split, post by post."""

from collections.abc import Mapping, Sequence

from annotation.release.judged import JudgedItem
from annotation.release.rows import FinalLabel, ReleaseRow, SplitPart
from annotation.release.split import Post, Ratio, split_posts
from codebook.schema import Codebook


def parted_rows(
    items: Sequence[JudgedItem],
    labels: Mapping[str, tuple[FinalLabel, ...]],
    codebook: Codebook,
    *,
    ratio: Ratio,
    seed: int,
    settled: Mapping[Post, SplitPart] | None = None,
) -> tuple[ReleaseRow, ...]:
    """By item id. A theme that has levels is stratified level by level; a rating scale is not.

    `settled` has posts that stay in the part they are in.
    """
    present = {code.id: question.present_values for question, code in codebook.coded_questions()}
    themes: dict[Post, set[str]] = {}
    for judged in items:
        found = themes.setdefault(judged.item.post, set())
        for label in labels[judged.item.item_id]:
            if label.value in present[label.code]:
                found.add(f"{label.code}={label.value}")
    parts = split_posts(themes, ratio, seed, settled)
    rows = [ReleaseRow(judged.item, parts[judged.item.post], labels[judged.item.item_id]) for judged in items]
    return tuple(sorted(rows, key=lambda row: row.item.item_id))
