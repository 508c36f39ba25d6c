"""Examples made ready for the encoder once: windows of tokens, units of text that can be marked, and what is known."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.sentences import sentences
from annotation.tokens import tokens
from codebook.questions import ModelQuestion
from codebook.schema import Part
from ml_backend.encoder.backbone import Backbone
from ml_backend.encoder.config import EncoderConfig
from ml_backend.encoder.plan import Plan, View, by_sentence, has_marks
from ml_backend.encoder.windows import Cutter, TextWindows, Tokens
from ml_backend.examples import Example, Place
from ml_backend.learners.calibration import overlapping

NO_UNIT = -1


@dataclass(frozen=True, slots=True)
class Units:
    """The words or sentences of the judged part, and for each kept token the one that it begins in."""

    places: tuple[Place, ...]
    of_token: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Known:
    """A label as the network learns it; `marked` by unit, None where it says nothing about words."""

    place: int
    weight: float
    marked: NDArray[np.bool_] | None


@dataclass(frozen=True, slots=True)
class Prepared:
    example: Example
    views: Mapping[View, TextWindows]
    units: Mapping[str, Units]
    known: Mapping[str, Known]

    @property
    def n_tokens(self) -> int:
        return sum(view.n_tokens for view in self.views.values())

    @property
    def n_windows(self) -> int:
        return sum(len(view.windows) for view in self.views.values())

    @property
    def n_truncated(self) -> int:
        return sum(view.n_truncated for view in self.views.values())


class Preparing:
    """Turns examples into what the network reads, with the tokenizer of its backbone."""

    def __init__(self, backbone: Backbone, plan: Plan, config: EncoderConfig) -> None:
        self.plan = plan
        self._tokenizer: Any = backbone.tokenizer
        self._cutter = Cutter(
            start=backbone.tokenizer.cls_token_id,
            separator=backbone.tokenizer.sep_token_id,
            max_tokens=min(config.max_tokens, backbone.length),
            overlap=config.overlap,
        )

    def prepare(self, examples: Sequence[Example]) -> list[Prepared]:
        return [self._prepared(example) for example in examples]

    def _prepared(self, example: Example) -> Prepared:
        read = {part: self._tokens(example, part) for part in Part}
        views = {view: self._view(view, read) for view in self.plan.views}
        units, known = {}, {}
        made: dict[tuple[View, bool], Units] = {}
        for group in self.plan.groups:
            for question in group.questions:
                key = (group.view, by_sentence(question))
                if has_marks(question):
                    if key not in made:
                        made[key] = _units(example, views[group.view], group.view.part, key[1])
                    units[question.code_id] = made[key]
                if question.code_id in example.targets:
                    known[question.code_id] = _known(example, question, made.get(key))
        return Prepared(example, views, units, known)

    def _tokens(self, example: Example, part: Part) -> Tokens:
        """Places count from the start of the part's own text: those of a title come out below 0."""
        text, start = example.shown(part)
        found = self._tokenizer(
            text, add_special_tokens=False, return_offsets_mapping=True, truncation=False, verbose=False
        )
        places = tuple((first - start, last - start) for first, last in found["offset_mapping"])
        return Tokens(tuple(found["input_ids"]), places)

    def _view(self, view: View, read: Mapping[Part, Tokens]) -> TextWindows:
        if not view.context:
            return self._cutter.windows(read[view.part])
        ids = tuple(each for part in view.context for each in read[part].ids)
        places = tuple(each for part in view.context for each in read[part].places)
        return self._cutter.windows(read[view.part], Tokens(ids, places))


def _units(example: Example, view: TextWindows, part: Part, in_sentences: bool) -> Units:
    text = example.text.text_of(part) or ""
    places = sentences(text) if in_sentences else tokens(text)
    starts = [start for start, _ in places]
    of_token = [_unit_at(first, places, starts) if last > first else NO_UNIT for first, last in view.places]
    return Units(places, np.array(of_token, dtype=np.int64))


def _unit_at(at: int, places: Sequence[Place], starts: Sequence[int]) -> int:
    unit = bisect_right(starts, at) - 1
    return unit if unit >= 0 and at < places[unit][1] else NO_UNIT


def _known(example: Example, question: ModelQuestion, units: Units | None) -> Known:
    """Words are learned where an answer shows some; sentences wherever they were asked for."""
    target = example.targets[question.code_id]
    answer = next(at for at, each in enumerate(question.values) if each.value == target.value)
    says_where = by_sentence(question) or (question.values[answer].wants_evidence and bool(target.marks))
    marked = overlapping(units.places, target.marks) if units is not None and says_where else None
    return Known(answer, target.weight, marked)
