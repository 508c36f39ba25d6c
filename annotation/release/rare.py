"""Themes that are found so seldom that measures on them rest on few cases."""

from collections import Counter
from collections.abc import Sequence

from annotation.release.rows import ReleaseRow
from codebook.schema import Codebook

RARE = 0.05


def rare_themes(rows: Sequence[ReleaseRow], codebook: Codebook) -> tuple[tuple[str, float], ...]:
    given: Counter[str] = Counter()
    found: Counter[str] = Counter()
    present = {code.id: question.present_values for question, code in codebook.coded_questions()}
    for row in rows:
        for label in row.labels:
            if label.value is not None:
                given[label.code] += 1
                found[label.code] += label.value in present[label.code]
    return tuple(
        (code.name, found[code.id] / given[code.id])
        for question, code in codebook.coded_questions()
        if question.present_values and given[code.id] and found[code.id] / given[code.id] < RARE
    )
