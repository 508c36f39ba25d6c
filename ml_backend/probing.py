"""Runs a context probe: makes its texts, has an adapter answer them, and measures what it said."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from annotation.answers import ItemText
from annotation.release.read import ReadRelease
from annotation.release.rows import SplitPart
from codebook.schema import Part
from learning.predictions.rows import ItemPrediction
from learning.probe.measure import Bootstrap, NothingProbed, Origin, Said, measure_probe
from learning.probe.unrelated import draw_unrelated, posts_of_release
from learning.probe.utterances import utterances_of
from learning.probe.values import ProbeReport
from learning.probe.variants import NoContrastPairs, ProbeTexts, UnrelatedPost, make_texts
from ml_backend.adapters.folder import Adapter
from ml_backend.examples import Example
from ml_backend.learners.interface import Report

OF_RELEASE = "other parts of the release"


@dataclass(frozen=True, slots=True)
class Unrelated:
    """Posts about something else, and in words where they are from."""

    source: str
    posts: tuple[UnrelatedPost, ...]


@dataclass(frozen=True, slots=True)
class ProbeSettings:
    """At most `most` unrelated posts and `utterances` for each code; where `contradiction` is asked for, a codebook
    without contrast pairs is refused."""

    part: SplitPart = SplitPart.TEST
    most: int = 1000
    utterances: int = 3
    resamples: int = 1000
    seed: int = 1
    contradiction: bool = False


def probe_adapter(
    adapter: Adapter,
    release: ReadRelease,
    unrelated: Unrelated | None,
    settings: ProbeSettings,
    report: Report,
) -> ProbeReport:
    """Without unrelated posts, those of the release's other parts take their place. The same settings ask every adapter
    the same."""
    learned = {each.code_id for each in adapter.learner.questions if each.part is Part.REPLY}
    if not learned.intersection(code.id for _, code in release.codebook.coded_questions()):
        raise NothingProbed
    source = unrelated or Unrelated(OF_RELEASE, posts_of_release(release, settings.part))
    posts = draw_unrelated(source.posts, release, settings.part, n=settings.most, seed=settings.seed)
    utterances = utterances_of(release.rows, release.codebook, settings.utterances)
    asked = {code: words for code, words in utterances.items() if code in learned}
    texts = make_texts(release, settings.part, posts, asked, seed=settings.seed)
    if settings.contradiction and not texts.contrasted:
        raise NoContrastPairs(release.codebook.title)
    return measure_probe(
        release,
        settings.part,
        texts,
        _ask(adapter, learned, texts, report),
        Bootstrap(settings.resamples, settings.seed),
        Origin(adapter.card.id, source.source, len(posts)),
    )


def _ask(adapter: Adapter, codes: Collection[str], texts: ProbeTexts, report: Report) -> Said:
    """About replies alone: codes of the post are not asked."""
    learner = adapter.learner.only(codes)

    def predict(asked: Sequence[ItemText]) -> dict[str, ItemPrediction]:
        found = learner.predict([Example(text) for text in asked], adapter_id=adapter.card.id, report=report)
        return {each.item_id: each for each in found}

    report(f"Replies under their own posts: {len(texts.true):,}")
    true = predict(texts.true)
    report(f"Replies under others' posts: {len(texts.swapped):,}")
    swapped = predict(texts.swapped)
    others = tuple(_others(texts))
    report(f"Insertions and contradictions: {len(others):,} texts")
    return Said(true, swapped, predict(others))


def _others(texts: ProbeTexts) -> Iterable[ItemText]:
    for inserted in texts.inserted:
        yield from (inserted.unrelated, inserted.own)
    yield from texts.bare
    for pair in texts.contrasted:
        yield from (pair.fitting, pair.contrary)
