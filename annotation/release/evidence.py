"""The words behind a label, put together from those that several annotators marked."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from annotation.consensus.spans import merge_spans
from annotation.consensus.values import SpanRule, Ties
from annotation.release.rows import Evidence, Snippet, SpanSource, Vote, Words
from codebook.schema import Part


def own_evidence(words: Sequence[Words], source: SpanSource) -> Evidence:
    """One person's words, as they marked them."""
    snippets = tuple(Snippet(place.part, place.start, place.end, 1.0) for place in words)
    return Evidence(snippets, source) if snippets else Evidence()


def merge_evidence(text: str, part: Part, marked: Sequence[Sequence[Words]], rule: SpanRule) -> Evidence:
    """`marked` has the words of each annotator who gave the final answer; one's own words stay as they are."""
    if len(marked) == 1:
        return own_evidence(marked[0], SpanSource.SINGLE)
    if not any(marked):
        return Evidence()
    merged = merge_spans(text, [[(place.start, place.end) for place in words] for words in marked], rule)
    if rule is SpanRule.MAJORITY and not merged:
        # All found the code, and no word has more than half of them behind it: better all words than none.
        return merge_evidence(text, part, marked, SpanRule.UNION)
    snippets = tuple(Snippet(part, span.start, span.end, span.confidence) for span in merged)
    return Evidence(snippets, SpanSource(rule.value)) if snippets else Evidence()


@dataclass(frozen=True, slots=True)
class VotedSentences:
    """`is_tied`: of some sentence, as many annotators marked it as did not."""

    evidence: Evidence
    confidence: float
    is_tied: bool


def vote_on_sentences(votes: Sequence[Vote], *, item: str, ties: Ties, seed: int) -> VotedSentences:
    """The sentences that more than half of the annotators marked, and how sure that is.

    Of a sentence that half of them marked, chance decides by the seed, its item and its place alone, unless ties go to
    what is more frequent: a sentence is seldom marked. Without labels for ties, whoever calls leaves the item out.
    The confidence is the mean, over all sentences that anybody marked, of the share of annotators on the winning side.
    """
    counts = Counter(place for vote in votes for place in set(vote.words))
    shares = {place: n / len(votes) for place, n in counts.items()}
    confidence = sum(max(share, 1 - share) for share in shares.values()) / len(shares)
    kept = tuple(
        Snippet(place.part, place.start, place.end, share)
        for place, share in sorted(shares.items(), key=lambda found: found[0].start)
        if share > 0.5 or (share == 0.5 and ties is Ties.SEED and _by_chance(f"{seed} {item} {place.start}"))
    )
    evidence = Evidence(kept, SpanSource.MAJORITY) if kept else Evidence()
    return VotedSentences(evidence, confidence, is_tied=0.5 in shares.values())


def _by_chance(name: str) -> bool:
    return bool(hashlib.blake2b(name.encode(), digest_size=8).digest()[-1] % 2)
