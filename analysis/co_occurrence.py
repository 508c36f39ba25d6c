"""Which codes go together, community by community: within posts, within replies, and from post to reply."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from analysis.correlation import NAME, SURE, correlation, fisher, standardise
from analysis.errors import NotAnalysable
from analysis.gold_notes import (
    NO_GOLD_HERE,
    NO_INTERVAL,
    basis_of,
    gold_note,
    lacks_gold,
    withhold_unsupported,
)
from analysis.labelled import LabelledCorpus, labelled_corpus
from analysis.labels import Labels, check_gold, labels_here
from analysis.multiple_testing import adjust_p_values
from analysis.three_ways import Fit, ask, together
from analysis.values import Effect, Estimate, Finding, Measure, Places, Significance, Values, Way
from analysis.words import strength
from codebook.schema import Part

NOT_DEFINED = "Undefined: one of the two codes does not vary here."
NOT_CORRECTED = (
    "Undefined: corrected, one of the two codes does not vary here or r is beyond -1 and 1; draw more gold."
)
COINCIDE = "No interval: one of the two codes follows exactly from the other here."


@dataclass(frozen=True, slots=True)
class CorrelationMatrix:
    """Of the codes `down` with the codes `across` in one community; findings row by row.

    Within a part both are the same codes, and each pair is there once, from the lower half.
    """

    where: str
    way: Way
    down: tuple[str, ...]
    across: tuple[str, ...]
    findings: tuple[Finding, ...]

    def of(self, one: str, other: str) -> Finding | None:
        return next((f for f in self.findings if {f.code, f.other} == {one, other}), None)


def co_occurrence(
    corpus: LabelledCorpus,
    *,
    way: Way,
    by: str = "community",
) -> tuple[CorrelationMatrix, ...]:
    """Of all pairs of codes on the same items, a matrix for each group; p-values are adjusted over all."""
    check_gold(corpus, way)
    codes = tuple(corpus.codes)
    pairs = [(one, other) for at, one in enumerate(codes) for other in codes[:at]]
    return _adjust(
        CorrelationMatrix(where, way, codes, codes, _pairs(part, pairs, where, way))
        for where, part in corpus.by(by)
    )


def across_parts(
    pairs: LabelledCorpus,
    post_codes: Sequence[str],
    reply_codes: Sequence[str],
    *,
    way: Way,
    by: str = "community",
) -> tuple[CorrelationMatrix, ...]:
    """Of each code of posts with each of replies, on the pairs that `paired` makes; p-values are adjusted over all."""
    check_gold(pairs, way)
    wanted = [(post, reply) for post in post_codes for reply in reply_codes]
    return _adjust(
        CorrelationMatrix(where, way, tuple(post_codes), tuple(reply_codes), _pairs(part, wanted, where, way))
        for where, part in pairs.by(by)
    )


def pair_replies_with_posts(posts: LabelledCorpus, replies: LabelledCorpus) -> LabelledCorpus:
    """Every reply with the labels of its post. Gold of a post counts where its reply was drawn too: such a pair was
    judged as one, and its probability is known. Replies whose post is not there are refused."""
    shared = set(posts.codes) & set(replies.codes)
    if shared:
        raise NotAnalysable(f"Posts and replies share the code “{min(shared)}”: give them ids of their own.")
    wanted = [
        name
        for code in posts.codes
        for name in (f"model.{code}", f"probability.{code}", f"gold.{code}")
        if name in posts.items.columns
    ]
    seen = [pl.col(name).alias("post_seen") for name in ("seen_in_training",) if name in posts.items.columns]
    right = posts.items.select("post", *wanted, *seen)
    if right["post"].n_unique() < right.height:
        raise NotAnalysable("A post is there twice: give each post once.")
    joined = replies.items.join(right, on="post", how="left", maintain_order="left")
    lost = joined[wanted[0]].null_count()
    if lost:
        raise NotAnalysable(
            f"{lost:,} replies have no post in the corpus: take replies and posts of one sample."
        )
    drawn = np.zeros(joined.height, dtype=np.bool_)
    drawn[replies.drawn()] = True
    joined = joined.with_columns(pl.Series("drawn", drawn))
    if seen:
        either = [name for name in ("post_seen", "seen_in_training") if name in joined.columns]
        joined = joined.with_columns(pl.any_horizontal(either).alias("seen_in_training"))
    return labelled_corpus(
        joined,
        part=Part.REPLY,
        codes={**posts.codes, **replies.codes},
        clustered_by=replies.clustered_by,
    )


def _pairs(
    corpus: LabelledCorpus, pairs: Sequence[tuple[str, str]], where: str, way: Way
) -> tuple[Finding, ...]:
    needed = dict.fromkeys(code for pair in pairs for code in pair)
    labels = {code: labels_here(corpus, code, way) for code in needed}
    ones = np.ones(len(corpus))
    of_all = {code: standardise(each.model, ones) for code, each in labels.items()}
    return tuple(_measure(corpus, labels, of_all, *pair, where, way) for pair in pairs)


def _adjust(matrices: Iterable[CorrelationMatrix]) -> tuple[CorrelationMatrix, ...]:
    """Over all of them: thirty communities are thirty times as many chances to be fooled."""
    made = tuple(matrices)
    findings = iter(adjust_p_values([found for matrix in made for found in matrix.findings]))
    return tuple(replace(matrix, findings=tuple(next(findings) for _ in matrix.findings)) for matrix in made)


def _measure(
    corpus: LabelledCorpus,
    labels: Mapping[str, Labels],
    of_all: Mapping[str, Values | None],
    one: str,
    other: str,
    where: str,
    way: Way,
) -> Finding:
    """`of_all` has what the model says of all items, standardised once for all pairs."""
    pair = labels[one], labels[other]
    both = pair[0] if way is Way.NAIVE else together(pair)

    def estimate(columns: Sequence[Values], weight: Values, at: Places | slice) -> Fit | None:
        if isinstance(at, slice):
            return correlation(of_all[one], of_all[other], weight)
        first, second = (standardise(column, weight) for column in columns)
        return correlation(first, second, weight)

    without = lacks_gold(both, way)
    found = None if without else ask(estimate, pair, corpus.clusters, way)
    estimate_of, test = Estimate(None, None, None), Significance(NAME, None, (), None)
    note = NO_GOLD_HERE if without else NOT_DEFINED if way is Way.NAIVE else NOT_CORRECTED
    if found and abs(found.value) <= SURE:
        estimate_of, test = fisher(found.value, found.error, found.df)
        note = gold_note(both, way)
        if estimate_of.low is None:
            note = COINCIDE if abs(found.value) == SURE else note or NO_INTERVAL
    names = f"“{corpus.codes[one]}” and “{corpus.codes[other]}”"
    made = Finding(
        code=one,
        other=other,
        where=where,
        measure=Measure.CORRELATION,
        way=way,
        basis=basis_of(both, corpus.clusters, way),
        estimate=estimate_of,
        test=test,
        effect=Effect("r", estimate_of.value),
        says=f"In {where}, {names} go together {strength(estimate_of.value, 'r')}",
        note=note,
        weight=found.weight if found else None,
    )
    return withhold_unsupported(made)
