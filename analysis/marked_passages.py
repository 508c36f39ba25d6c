"""What sets marked sentences apart from the others: words, pairs of words, a lexicon's scores and topics.

Each of these gives every sentence a number: whether it has the word, the mean score of its words, its share of a
topic. What is told is the mean over marked sentences, over the others, and the difference with errors clustered by
post (`analysis.clustered_errors`). Topics are those of latent Dirichlet allocation on the marked sentences (Blei, Ng
and Jordan 2003, Journal of Machine Learning Research 3, 993–1022).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from analysis.clustered_errors import GroupedItems
from analysis.clusters import Clusters, Groups
from analysis.lexicon import Lexicon
from analysis.multiple_testing import adjust_p_values
from analysis.normal import interval, t_test
from analysis.values import Basis, Effect, Finding, Measure, Values, Way

MOST_WORDS = 15
# Rarer words are accidents, and might tell whose sentence it was.
FEWEST_SENTENCES = 3
N_TOPICS, WORDS_OF_TOPIC = 5, 8
# With fewer marked sentences topics are accidents.
FEWEST_FOR_TOPICS = 50
SEED = 1
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_PATTERN = r"(?u)\b[^\W\d_]{2,}\b"


class Trait(StrEnum):
    WORDS = "words"
    PAIRS = "pairs"
    LEXICON = "lexicon"
    TOPICS = "topics"


@dataclass(frozen=True, slots=True, eq=False)
class MarkedPassages:
    """Sentences of the items that a code was asked of, the post that each belongs to, and which are marked: by a model
    (naive) or by people (gold)."""

    code: str
    name: str
    texts: tuple[str, ...]
    posts: tuple[str, ...]
    is_marked: NDArray[np.bool_]
    way: Way = Way.NAIVE

    @property
    def has_both(self) -> bool:
        return bool(self.is_marked.any() and not self.is_marked.all())


@dataclass(frozen=True, slots=True)
class TraitRow:
    """Means over marked sentences and over the others; `difference` is the first minus the second."""

    label: str
    n_marked: int
    marked: float
    unmarked: float
    difference: Finding


@dataclass(frozen=True, slots=True)
class TraitTable:
    trait: Trait
    is_share: bool
    rows: tuple[TraitRow, ...]


def compare_passages(passages: MarkedPassages, lexicon: Lexicon | None) -> Iterator[TraitTable]:
    """Tables that have rows, p-values adjusted within each."""
    numbered: dict[str, int] = {}
    places = np.array([numbered.setdefault(post, len(numbered)) for post in passages.posts], dtype=np.int64)
    groups = Groups(("marked", "unmarked"), np.where(passages.is_marked, 0, 1).astype(np.int64))
    items = GroupedItems(groups, Clusters(places, len(numbered)))
    for trait, is_share, columns in _traits(passages, lexicon):
        rows = [_row(passages, items, label, values, is_share) for label, values in columns]
        adjusted = adjust_p_values([row.difference for row in rows])
        if rows:
            pairs = zip(rows, adjusted, strict=True)
            yield TraitTable(
                trait,
                is_share,
                tuple(
                    TraitRow(row.label, row.n_marked, row.marked, row.unmarked, found) for row, found in pairs
                ),
            )


Columns = Sequence[tuple[str, Values]]


def _traits(passages: MarkedPassages, lexicon: Lexicon | None) -> Iterator[tuple[Trait, bool, Columns]]:
    yield Trait.WORDS, True, _commonest(passages, 1)
    yield Trait.PAIRS, True, _commonest(passages, 2)
    if lexicon is not None:
        yield Trait.LEXICON, False, lexicon_scores(passages.texts, lexicon)
    if passages.is_marked.sum() >= FEWEST_FOR_TOPICS:
        yield Trait.TOPICS, True, _topics(passages)


def _row(
    passages: MarkedPassages, items: GroupedItems, label: str, values: Values, is_share: bool
) -> TraitRow:
    found = items.means(values)
    difference, error = found.combined(np.array([[1.0, -1.0]]))
    value, n_clusters = float(difference[0]), len(set(passages.posts))
    marked, unmarked = map(float, found.means)
    shown = f"{marked:.1%} against {unmarked:.1%}" if is_share else f"{marked:.3f} against {unmarked:.3f}"
    finding = Finding(
        code=passages.code,
        where="",
        measure=Measure.DIFFERENCE,
        way=passages.way,
        basis=Basis(len(values), n_clusters),
        estimate=interval(value, float(error[0]), n_clusters - 1),
        test=t_test("t, clustered", value, float(error[0]), n_clusters - 1),
        effect=Effect("difference", value),
        says=f"“{label}” in sentences marked for “{passages.name}” and in the others: {shown}",
        other=label,
        in_percent=is_share,
    )
    return TraitRow(label, int((values[passages.is_marked] > 0).sum()), marked, unmarked, finding)


def _commonest(passages: MarkedPassages, n_words: int) -> Columns:
    """Those in most marked sentences, without the commonest words of English."""
    from sklearn.feature_extraction.text import CountVectorizer  # takes long to load

    counter = CountVectorizer(
        binary=True, stop_words="english", ngram_range=(n_words, n_words), token_pattern=_PATTERN
    )
    marked = np.flatnonzero(passages.is_marked)
    try:
        found = counter.fit([passages.texts[at] for at in marked]).transform(passages.texts).tocsc()
    except ValueError:  # as it says that no word is left
        return []
    counts = np.asarray(found[marked].sum(axis=0)).ravel()
    names = counter.get_feature_names_out()
    order = sorted(range(len(names)), key=lambda at: (-counts[at], names[at]))[:MOST_WORDS]
    return [
        (str(names[at]), found[:, [at]].toarray().ravel().astype(float))
        for at in order
        if counts[at] >= FEWEST_SENTENCES
    ]


def lexicon_scores(texts: Sequence[str], lexicon: Lexicon) -> Columns:
    """By category the mean score of a sentence's words, of which those that the lexicon lacks score 0.

    >>> mine = Lexicon("mine", ("joy",), {"sun": (1.0,)})
    >>> [(name, values.tolist()) for name, values in lexicon_scores(["Sun and rain", "Rain"], mine)]
    [('joy', [0.3333333333333333, 0.0])]
    """
    nothing = (0.0,) * len(lexicon.categories)
    rows = []
    for text in texts:
        words = [word.casefold() for word in _WORD.findall(text)]
        scores = [lexicon.scores.get(word, nothing) for word in words] or [nothing]
        rows.append(np.mean(scores, axis=0))
    table = np.array(rows).reshape(len(texts), len(lexicon.categories))
    return [(name, table[:, at]) for at, name in enumerate(lexicon.categories)]


def _topics(passages: MarkedPassages) -> Columns:
    """A sentence without a word of any topic has equal shares of all."""
    from sklearn.decomposition import LatentDirichletAllocation
    from sklearn.feature_extraction.text import CountVectorizer

    marked = [passages.texts[at] for at in np.flatnonzero(passages.is_marked)]
    counter = CountVectorizer(
        stop_words="english", min_df=FEWEST_SENTENCES, max_features=2000, token_pattern=_PATTERN
    )
    try:
        counts = counter.fit_transform(marked)
    except ValueError:  # as it says that no word is left
        return []
    model = LatentDirichletAllocation(N_TOPICS, random_state=SEED).fit(counts)
    shares = model.transform(counter.transform(passages.texts))
    names = counter.get_feature_names_out()
    labels = [
        ", ".join(names[at] for at in np.argsort(-weights, kind="stable")[:WORDS_OF_TOPIC])
        for weights in model.components_
    ]
    return [(label, shares[:, at]) for at, label in enumerate(labels)]
