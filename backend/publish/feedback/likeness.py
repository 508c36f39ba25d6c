"""Whether pasted texts are like those that the model learned from."""

from __future__ import annotations

from functools import lru_cache

from annotation.release.rows import SplitPart
from backend.decide.releases.errors import ReleaseError
from backend.decide.releases.selectors import rows_of
from backend.learn.models.models import Adapter
from codebook.schema import Part
from learning.input_likeness import TrainingTexts
from learning.suggestions.asking import TextAsked

Learned = dict[Part, TrainingTexts | None]


def why_unlike(adapter: Adapter, asked: TextAsked) -> tuple[str, ...]:
    """Sentences, each with the part that it is about."""
    try:
        learned = _learned_by(adapter.adapter_id)
    except ReleaseError:
        return ("The texts that the model learned from are gone, so that these cannot be held against them.",)
    texts = {Part.POST: f"{asked.title} {asked.post}", Part.REPLY: asked.reply or ""}
    return tuple(
        f"About the {part.value}: {sentence}"
        for part, about in learned.items()
        if about and texts[part].strip()
        for sentence in about.why_unlike(texts[part])
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
