"""Examples made ready for the encoder once: windows of tokens, units of text that can be marked, and what is known."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.tokens import tokens
from codebook.questions import ModelQuestion
from codebook.schema import Part
from ml_backend.encoder.backbone import Backbone
from ml_backend.encoder.config import EncoderConfig
from ml_backend.encoder.plan import Plan, View, by_sentence, has_marks
from ml_backend.encoder.windows import Cutter, TextWindows, Tokens
from ml_backend.examples import Example, Place
from ml_backend.learners.calibration import find_overlaps
from ml_backend.learners.soft_targets import said_by_heads, shares_in_order

NO_UNIT = -1


@dataclass(frozen=True, slots=True)
class Units:
    """The words or sentences of the judged part, and for each kept token the one that it begins in."""

    places: tuple[Place, ...]
    of_token: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Known:
    """A label as the network learns it; `marked` by unit, None where it says nothing about words. `shares` are of the
    answers, and `said` has head and place of each annotator's answer; empty where one label is learned."""

    place: int
    weight: float
    marked: NDArray[np.bool_] | None
    shares: tuple[float, ...] = ()
    said: tuple[tuple[int, int], ...] = ()


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

    def __init__(
        self, backbone: Backbone, plan: Plan, config: EncoderConfig, annotators: Mapping[str, Sequence[str]]
    ) -> None:
        self.plan = plan
        self._is_soft, self._annotators = config.is_soft, annotators
        # The library's own, which has less to do for each text; it must not cut or pad anything.
        self._tokenizer: Any = backbone.tokenizer.backend_tokenizer
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._cutter = Cutter(
            start=backbone.tokenizer.cls_token_id,
            separator=backbone.tokenizer.sep_token_id,
            max_tokens=min(config.max_tokens, backbone.length),
            overlap=config.overlap,
        )

    def reading(self, plan: Plan) -> Preparing:
        found = copy.copy(self)
        found.plan = plan
        return found

    def prepare(self, examples: Sequence[Example]) -> list[Prepared]:
        parts = tuple(dict.fromkeys(part for view in self.plan.views for part in (view.part, *view.context)))
        read = {part: self._tokens([example.shown(part) for example in examples]) for part in parts}
        return [
            self._prepare(example, {part: read[part][at] for part in parts})
            for at, example in enumerate(examples)
        ]

    def _prepare(self, example: Example, read: Mapping[Part, Tokens]) -> Prepared:
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
                    known[question.code_id] = self._known(example, question, made.get(key))
        return Prepared(example, views, units, known)

    def _known(self, example: Example, question: ModelQuestion, units: Units | None) -> Known:
        known = _known_parts(example, question, units)
        if not self._is_soft or by_sentence(question):
            return known
        target = example.targets[question.code_id]
        said = said_by_heads(question, target, self._annotators.get(question.code_id, ()))
        return replace(known, shares=shares_in_order(question, target), said=said)

    def _tokens(self, shown: Sequence[tuple[str, int]]) -> list[Tokens]:
        """All texts at once. Places count from the start of the part's own text: those of a title come out below 0."""
        found = self._tokenizer.encode_batch([text for text, _ in shown], add_special_tokens=False)
        return [
            Tokens(tuple(each.ids), tuple((first - start, last - start) for first, last in each.offsets))
            for each, (_, start) in zip(found, shown, strict=True)
        ]

    def _view(self, view: View, read: Mapping[Part, Tokens]) -> TextWindows:
        if not view.context:
            return self._cutter.windows(read[view.part])
        ids = tuple(each for part in view.context for each in read[part].ids)
        places = tuple(each for part in view.context for each in read[part].places)
        return self._cutter.windows(read[view.part], Tokens(ids, places))


def _units(example: Example, view: TextWindows, part: Part, in_sentences: bool) -> Units:
    text = example.text.text_of(part) or ""
    places = example.text.sentences_of(part) if in_sentences else tokens(text)
    return Units(places, units_of_tokens(np.array(view.places), np.array(places).reshape(-1, 2)))


def units_of_tokens(tokens: NDArray[np.int64], units: NDArray[np.int64]) -> NDArray[np.int64]:
    """The unit that each token begins in; none for signs that are nowhere and for what is between units.

    >>> units_of_tokens(np.array([(-1, -1), (0, 2), (2, 3), (4, 5)]), np.array([(0, 2), (3, 6)])).tolist()
    [-1, 0, -1, 1]
    """
    if not len(units):
        return np.full(len(tokens), NO_UNIT)
    starts, ends = tokens[:, 0], tokens[:, 1]
    found = np.searchsorted(units[:, 0], starts, side="right") - 1
    is_within = (found >= 0) & (ends > starts) & (starts < units[found, 1])
    return np.where(is_within, found, NO_UNIT)


def _known_parts(example: Example, question: ModelQuestion, units: Units | None) -> Known:
    """Words are learned where an answer shows some; sentences wherever they were asked for."""
    target = example.targets[question.code_id]
    answer = next(at for at, each in enumerate(question.values) if each.value == target.value)
    says_where = by_sentence(question) or (question.values[answer].wants_evidence and bool(target.marks))
    marked = find_overlaps(units.places, target.marks) if units is not None and says_where else None
    return Known(answer, target.weight, marked)
