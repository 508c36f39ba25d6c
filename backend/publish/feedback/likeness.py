"""Whether pasted texts are like those that the model learned from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from annotation.release.rows import SplitPart
from backend.decide.releases.errors import ReleaseError
from backend.decide.releases.selectors import rows_of
from backend.learn.models.models import Adapter
from codebook.schema import Part
from learning.input_likeness import FEWEST_TEXTS, TrainingTexts
from learning.suggestions.asking import TextAsked

Learned = dict[Part, TrainingTexts | None]


@dataclass(frozen=True, slots=True)
class Likeness:
    """Sentences, each with the part that it is about: what is unlike, and where nobody can say."""

    unlike: tuple[str, ...]
    unknown: tuple[str, ...]


def likeness_of(adapter: Adapter, asked: TextAsked) -> Likeness:
    try:
        learned = _learned_by(adapter.adapter_id)
    except ReleaseError:
        gone = "The texts that the model learned from are gone, so that these cannot be held against them."
        return Likeness((), (gone,))
    texts = {Part.POST: f"{asked.title} {asked.post}", Part.REPLY: asked.reply or ""}
    given = [(part, about, texts[part]) for part, about in learned.items() if texts[part].strip()]
    too_few = f"the model learned from too few texts to say, fewer than {FEWEST_TEXTS}."
    return Likeness(
        unlike=tuple(
            f"About the {part.value}: {sentence}"
            for part, about, text in given
            if about
            for sentence in about.why_unlike(text)
        ),
        unknown=tuple(f"About the {part.value}: {too_few}" for part, about, _ in given if about is None),
    )


@lru_cache(maxsize=16)
def _learned_by(adapter_id: str) -> Learned:
    """Releases never change; what is kept in memory are words, counted over all texts."""
    adapter = Adapter.objects.select_related("release__study").filter(adapter_id=adapter_id)[0]
    texts = [
        row.item.texts for row in rows_of(adapter.release) if row.split is SplitPart.TRAIN and row.item.texts
    ]
    return {
        Part.POST: TrainingTexts.of({f"{each.title} {each.post}" for each in texts}),
        Part.REPLY: TrainingTexts.of({each.reply for each in texts if each.reply}),
    }
