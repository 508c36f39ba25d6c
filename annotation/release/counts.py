"""Counts of a release, taken the same way when it is written and when it is verified, and which themes are rare."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from annotation.release.manifest import Counts
from annotation.release.rows import ReleaseRow
from codebook.schema import Codebook

RARE = 0.05


def counts_of(rows: Iterable[ReleaseRow], left_out: Mapping[str, int]) -> Counts:
    items, posts = 0, set()
    by_split: Counter[str] = Counter()
    by_source: Counter[str] = Counter()
    superseded = 0
    annotators: set[str] = set()
    adjudicators: set[str] = set()
    for row in rows:
        items += 1
        posts.add(row.item.post)
        by_split[row.split.value] += 1
        for label in row.labels:
            by_source[label.source.value] += 1
            superseded += label.is_superseded
            annotators.update(vote.annotator for vote in label.votes)
            if label.decision:
                adjudicators.add(label.decision.adjudicator)
    return Counts(
        items=items,
        posts=len(posts),
        labels=by_source.total(),
        by_split=dict(sorted(by_split.items())),
        by_source=dict(sorted(by_source.items())),
        superseded=superseded,
        annotators=len(annotators),
        adjudicators=len(adjudicators),
        left_out=dict(sorted(left_out.items())),
    )


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
