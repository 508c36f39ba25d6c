"""The utterances that are put into replies: words that people marked as evidence, those that stand best for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice

import numpy as np

from annotation.release.rows import ReleaseRow, SplitPart
from annotation.release.table_codebook import NO_EXAMPLE
from codebook.schema import Code, Codebook, Part
from learning.facility_location import choose_representatives, word_similarity
from learning.input_likeness import words_of

# As people say in one breath; what is longer tells of one post alone.
MOST_WORDS = 8
# The commonest stand for the rest: the cosines of all pairs are held in memory.
MOST_CANDIDATES = 1_500


def utterances_of(rows: Iterable[ReleaseRow], codebook: Codebook, n: int) -> dict[str, tuple[str, ...]]:
    """At most n for each code of the reply, from the training part alone; the examples of the codebook where nothing
    was marked. They depend on no model, so that all are asked the same."""
    snippets = _snippets(rows)
    found = {}
    for question, code in codebook.coded_questions():
        if question.part is Part.REPLY and question.present_values:
            found[code.id] = _representatives(snippets.get(code.id, Counter()), n) or _examples(code, n)
    return found


def _snippets(rows: Iterable[ReleaseRow]) -> Mapping[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for row in rows:
        texts = row.item.texts
        if row.split is not SplitPart.TRAIN or texts is None or texts.reply is None:
            continue
        for label in row.labels:
            own = [each for each in label.evidence.snippets if each.part is Part.REPLY]
            words = (" ".join(texts.reply[each.start : each.end].split()) for each in own)
            found.setdefault(label.code, Counter()).update(filter(words_of, words))
    return found


def _representatives(snippets: Counter[str], n: int) -> tuple[str, ...]:
    """Those that differ in capitals or signs alone are one: the commonest way of writing it. What several people wrote
    goes before what one did."""
    spellings: dict[tuple[str, ...], Counter[str]] = {}
    for text, times in sorted(snippets.items()):
        spellings.setdefault(tuple(words_of(text)), Counter())[text] += times
    short = {words: found for words, found in spellings.items() if len(words) <= MOST_WORDS} or spellings
    common = sorted(short, key=lambda words: (-short[words].total(), words))[:MOST_CANDIDATES]
    if not common:
        return ()
    texts = [max(sorted(short[words]), key=short[words].__getitem__) for words in common]
    weights = np.array([float(short[words].total()) for words in common])
    # Sorted by how common they are, so these come first
    n_repeated = int((weights > 1).sum())
    eligible = n_repeated if n_repeated >= n else len(texts)
    chosen = choose_representatives(word_similarity(texts)[:, :eligible], n, weights)
    return tuple(texts[at] for at in chosen)


def _examples(code: Code, n: int) -> tuple[str, ...]:
    said = (example.text for example in code.examples_for if example.text != NO_EXAMPLE)
    return tuple(islice(said, n))
