"""What a model's answers to the texts of a probe say about it, code by code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotation.release.read import ReadRelease
from annotation.release.rows import ReleaseRow, SplitPart
from codebook.schema import Code, Part, Question
from learning.predictions.rows import CodePrediction, ItemPrediction
from learning.probe.rates import mean_difference, rate_over_posts
from learning.probe.values import (
    CodeProbe,
    Contradiction,
    Insertion,
    ProbeReport,
    Rate,
    Swap,
    UtteranceRate,
)
from learning.probe.variants import Inserted, ProbeTexts
from learning.scoring.compare import Comparison, compare
from learning.scoring.values import HEADLINE, Difference, Metric

NO_YES = "No answer of a rating scale says that the code is there, so there is no yes to count."
NO_UTTERANCE = (
    "No words were marked as evidence in the training part and the codebook has no example: none to insert."
)
NO_PAIRS = "The codebook has no contrast pairs for it."
NEVER_YES = "The model never says yes under the replies' own posts."

Predictions = Mapping[str, ItemPrediction]


class NothingProbed(ValueError):
    def __init__(self) -> None:
        super().__init__(
            "The adapter predicts no code of the reply that the release's codebook knows, and only a reply can be put "
            "under another post. Take a release of the codebook that it learned from, or a model of replies."
        )


@dataclass(frozen=True, slots=True)
class Said:
    """What the model said, by item: `true` and `swapped` share their ids, all `others` have ids of their own."""

    true: Predictions
    swapped: Predictions
    others: Predictions


@dataclass(frozen=True, slots=True)
class Bootstrap:
    resamples: int
    seed: int


@dataclass(frozen=True, slots=True)
class Origin:
    """`release_hash` is that of the manifest; `unrelated` says in words where unrelated posts are from."""

    adapter_id: str
    unrelated: str
    n_unrelated: int


def measure_probe(
    release: ReadRelease, part: SplitPart, texts: ProbeTexts, said: Said, bootstrap: Bootstrap, origin: Origin
) -> ProbeReport:
    """Raises NothingProbed, and NotMeasurable where no item of the part may measure a model."""
    known = {code.code_id for each in said.true.values() for code in each.codes}
    asked = [
        (question, code)
        for question, code in release.codebook.coded_questions()
        if question.part is Part.REPLY and code.id in known
    ]
    compared = compare(
        texts.rows,
        tuple(said.true.values()),
        tuple(said.swapped.values()),
        release.codebook,
        part_of_split=part,
        resamples=bootstrap.resamples,
        seed=bootstrap.seed,
    )
    probing = _Probing(texts, said, compared, bootstrap)
    metric, mean = _mean_gain([question for question, _ in asked], compared)
    return ProbeReport(
        adapter_id=origin.adapter_id,
        release_hash=release.manifest.hash,
        split=part,
        n_items=len(texts.rows),
        n_posts=compared.n_posts,
        unrelated=origin.unrelated,
        n_unrelated=origin.n_unrelated,
        codes=tuple(probing.code(question, code) for question, code in asked),
        mean_metric=metric,
        mean_gain=mean,
        resamples=bootstrap.resamples,
        seed=bootstrap.seed,
    )


def _mean_gain(
    questions: Sequence[Question], compared: Comparison
) -> tuple[Metric | None, Difference | None]:
    metrics = [HEADLINE[question.answer] for question in questions]
    metric = max(metrics, key=metrics.count)
    mean = compared.mean(Part.REPLY) or compared.mean()
    return (metric, mean.differences.get(metric)) if mean else (None, None)


@dataclass(frozen=True, slots=True)
class _Probing:
    texts: ProbeTexts
    said: Said
    compared: Comparison
    bootstrap: Bootstrap

    def code(self, question: Question, code: Code) -> CodeProbe:
        metric = HEADLINE[question.answer]
        compared = self.compared.code(code.id)
        if compared is None:
            raise NothingProbed
        present = question.present_values
        insertion = self._insertion(code.id, present) if present else None
        swap = self._swap(code.id, present) if present else None
        contradiction = self._contradiction(code.id, present) if present else None
        missing = (
            [(insertion, NO_UTTERANCE), (swap, NEVER_YES), (contradiction, NO_PAIRS)]
            if present
            else [(None, NO_YES)]
        )
        return CodeProbe(
            code_id=code.id,
            metric=metric,
            context_gain=compared.differences[metric],
            probability_gain=self._probability_gain(code.id),
            insertion=insertion,
            swap=swap,
            contradiction=contradiction,
            notes=tuple(words for found, words in missing if found is None),
        )

    def _rate(self, hits: Sequence[bool], posts: Sequence[str]) -> Rate:
        return rate_over_posts(hits, posts, resamples=self.bootstrap.resamples, seed=self.bootstrap.seed)

    def _insertion(self, code: str, present: frozenset[int]) -> Insertion | None:
        own = [each for each in self.texts.inserted if each.code_id == code]
        if not own:
            return None

        def rate(inserted: Sequence[Inserted], ids: Sequence[str]) -> Rate:
            hits = [self._says(self.said.others, each, code, present) for each in ids]
            return self._rate(hits, [str(each.post) for each in inserted])

        bare = [each.item_id for each in self.texts.bare]
        return Insertion(
            rate=rate(own, [each.unrelated.item_id for each in own]),
            own_posts=rate(own, [each.own.item_id for each in own]),
            without=self._rate([self._says(self.said.others, each, code, present) for each in bare], bare)
            if bare
            else None,
            utterances=tuple(
                UtteranceRate(words, rate(these, [each.unrelated.item_id for each in these]))
                for at, words in enumerate(self.texts.utterances[code])
                if (these := [each for each in own if each.utterance == at])
            ),
        )

    def _swap(self, code: str, present: frozenset[int]) -> Swap | None:
        said_yes = [
            row for row in self.texts.rows if self._says(self.said.true, row.item.item_id, code, present)
        ]
        if not said_yes:
            return None
        posts = [_post(row) for row in said_yes]
        kept = [self._says(self.said.swapped, row.item.item_id, code, present) for row in said_yes]
        return Swap(self._rate(kept, posts), self._rate([not each for each in kept], posts))

    def _contradiction(self, code: str, present: frozenset[int]) -> Contradiction | None:
        own = [each for each in self.texts.contrasted if each.code_id == code]
        if not own:
            return None
        names = [each.fitting.item_id for each in own]
        said = [self._says(self.said.others, name, code, present) for name in names]
        both = [(each, name) for each, name, is_said in zip(own, names, said, strict=True) if is_said]
        kept = [self._says(self.said.others, each.contrary.item_id, code, present) for each, _ in both]
        return Contradiction(self._rate(said, names), self._rate(kept, [name for _, name in both]))

    def _probability_gain(self, code: str) -> Difference | None:
        """Of the right answer; None where the model gives no probabilities."""
        true, swapped, posts = [], [], []
        for row in self.texts.rows:
            label = next((each for each in row.labels if each.code == code), None)
            if label is None or label.value is None or row.item.suggested_by:
                continue
            pair = [_of(each, row.item.item_id, code) for each in (self.said.true, self.said.swapped)]
            found = [each.probability_of(frozenset({label.value})) if each else None for each in pair]
            if found[0] is not None and found[1] is not None:
                true.append(found[0])
                swapped.append(found[1])
                posts.append(_post(row))
        if not true:
            return None
        return mean_difference(
            true, swapped, posts, resamples=self.bootstrap.resamples, seed=self.bootstrap.seed
        )

    @staticmethod
    def _says(predictions: Predictions, item_id: str, code: str, present: frozenset[int]) -> bool:
        found = _of(predictions, item_id, code)
        return found is not None and found.value in present


def _of(predictions: Predictions, item_id: str, code: str) -> CodePrediction | None:
    found = predictions.get(item_id)
    return found.of(code) if found else None


def _post(row: ReleaseRow) -> str:
    return "\0".join(row.item.post)
