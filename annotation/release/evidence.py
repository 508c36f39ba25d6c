"""The words behind a label, put together from those that several annotators marked."""

from collections import Counter
from collections.abc import Sequence

from annotation.consensus.values import SpanRule
from annotation.release.rows import Evidence, SpanSource, Vote, Words


def joined_evidence(text: str, marked: Sequence[tuple[Words, ...]], rule: SpanRule) -> Evidence:
    """`marked` has the words of each annotator who gave the final answer; one's own words stay as they are."""
    if not any(marked):
        return Evidence()
    if len(marked) == 1:
        return Evidence(marked[0], SpanSource.SINGLE, 1.0)
    if len(set(marked)) == 1:
        return Evidence(marked[0], SpanSource(rule.value), 1.0)
    return Evidence(
        tuple(sorted({place for words in marked for place in words}, key=lambda place: place.start)),
        SpanSource(rule.value),
        0.5,
    )


def voted_sentences(votes: Sequence[Vote]) -> tuple[Evidence, float]:
    """The sentences that more than half of the annotators marked, and how sure that is.

    The confidence is the mean, over all sentences that anybody marked, of the share of annotators on the winning side.
    """
    counts = Counter(place for vote in votes for place in set(vote.words))
    shares = {place: n / len(votes) for place, n in counts.items()}
    confidence = sum(max(share, 1 - share) for share in shares.values()) / len(shares)
    kept = sorted((place for place, share in shares.items() if share > 0.5), key=lambda place: place.start)
    if not kept:
        return Evidence(), confidence
    sure = sum(shares[place] for place in kept) / len(kept)
    return Evidence(tuple(kept), SpanSource.MAJORITY, sure), confidence
