"""Codes as a report counts them: what a level is, and when it counts as found.

Ticks are found where they are 1. Of a code with levels, the codebook says which of them mean that it is there: for
shares and differences those count as found, while correlations and courses use the levels as numbers. Of a rating no
point says so, and only correlations and courses are made of it. Where a corpus has other numbers than 0 and 1 and the
codebook is silent, all above 0 is found.
"""

from collections.abc import Sequence

import numpy as np
import polars as pl

from analysis.labelled import PROBABILITY_OF_LEVEL, LabelledCorpus, labelled_corpus
from analysis.report.facts import CodeFacts, LevelFacts, ReportFacts
from codebook.schema import Codebook, Question


def codes_of(codebook: Codebook) -> tuple[CodeFacts, ...]:
    """In the order of the codebook."""
    return tuple(
        CodeFacts(
            id=code.id,
            name=code.name,
            part=question.part,
            category=question.category,
            levels=_levels(question),
        )
        for question, code in codebook.coded_questions()
    )


def _levels(question: Question) -> tuple[LevelFacts, ...]:
    return tuple(
        LevelFacts(value=level.value, label=level.label, is_found=level.value in question.present_values)
        for level in question.levels
    )


def has_ticks(corpus: LabelledCorpus, code: str) -> bool:
    values = corpus.model(code)
    _, gold = corpus.gold(code)
    return bool(np.isin(values, (0, 1)).all() and np.isin(gold, (0, 1)).all())


def as_found(corpus: LabelledCorpus, facts: ReportFacts) -> LabelledCorpus | None:
    """The corpus with 0 and 1 in place of levels and without ratings; None where nothing is left."""
    kept = {code: name for code, name in corpus.codes.items() if not _is_rating(facts.code(code))}
    if not kept:
        return None
    made = [column for code in kept for column in _answer_columns(corpus, code, facts.code(code))]
    # What a model expects of levels is no probability that something is there
    expected = [f"probability.{code}" for code in kept if not _is_tick(corpus, code, facts)]
    items = corpus.items.drop(expected, strict=False)
    return labelled_corpus(
        items.with_columns(made), part=corpus.part, codes=kept, clustered_by=corpus.clustered_by
    )


def _is_tick(corpus: LabelledCorpus, code: str, facts: ReportFacts) -> bool:
    known = facts.code(code)
    return (known is None or not known.levels) and has_ticks(corpus, code)


def _is_rating(code: CodeFacts | None) -> bool:
    return code is not None and code.is_rating


def _answer_columns(corpus: LabelledCorpus, code: str, known: CodeFacts | None) -> list[pl.Expr]:
    if (known is None or not known.levels) and has_ticks(corpus, code):
        return []
    columns = [name for name in (f"model.{code}", f"gold.{code}") if name in corpus.items.columns]
    if known is None or not known.levels:
        return [(pl.col(name) > 0).cast(pl.UInt8()).alias(name) for name in columns]
    found = [level.value for level in known.levels if level.is_found]
    made = [pl.col(name).is_in(found).cast(pl.UInt8()).alias(name) for name in columns]
    return [*made, *_probability_found(corpus, code, found)]


def _probability_found(corpus: LabelledCorpus, code: str, found: Sequence[int]) -> list[pl.Expr]:
    names = [f"{PROBABILITY_OF_LEVEL}.{level}.{code}" for level in found]
    known = [name for name in names if name in corpus.items.columns]
    # Rounding of 32 bits may leave the sum above 1
    return [pl.sum_horizontal(known).clip(0, 1).alias(f"probability.{code}")] if known else []


def level_notes(corpus: LabelledCorpus, facts: ReportFacts) -> tuple[str, ...]:
    """How codes that are more than ticks were counted, in a sentence for each kind."""
    levels: dict[str, list[str]] = {}
    ratings, other = [], []
    for code, name in corpus.codes.items():
        known = facts.code(code)
        if known is not None and known.is_rating:
            ratings.append(name)
        elif known is not None and known.levels:
            levels.setdefault(_in_words(known.levels), []).append(name)
        elif not has_ticks(corpus, code):
            other.append(name)
    notes = [
        f"{_quote(names)} {_have(names)} levels ({words}). Shares and differences count those as found;"
        " correlations and courses over time use the levels as numbers."
        for words, names in levels.items()
    ]
    if ratings:
        notes.append(
            f"{_quote(ratings)} {'is a rating' if len(ratings) == 1 else 'are ratings'}, of which no point says that"
            " something is there: shares and differences leave them out, correlations and courses use the points."
        )
    if other:
        notes.append(
            f"{_quote(other)} {_have(other)} other labels than 0 and 1, and the codebook names no levels: all"
            " above 0 counts as found."
        )
    return tuple(notes)


def _in_words(levels: Sequence[LevelFacts]) -> str:
    found = " or ".join(f"“{level.label}”" for level in levels if level.is_found)
    return f"{', '.join(f'{level.value} = {level.label}' for level in levels)}; found is {found}"


def _quote(names: Sequence[str]) -> str:
    quoted = [f"“{name}”" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _have(names: Sequence[str]) -> str:
    return "has" if len(names) == 1 else "have"
