"""Adds up the answers of one condition by post: everything that the comparison is made of."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from annotation.agreement.bootstrap import Values
from learning.prelabel_experiment.values import ConditionCounts, ExperimentAnswer, ExperimentCode


@dataclass(frozen=True, slots=True, eq=False)
class Fraction:
    """A share before it is divided: the numbers above and below the line, by post."""

    above: Values
    below: Values


class ConditionTable:
    """The answers of a condition, by post. A code counts where both the annotator and the model answered it."""

    def __init__(self, answers: Sequence[ExperimentAnswer], codes: Sequence[ExperimentCode]) -> None:
        self.answers = tuple(answers)
        self._codes = tuple(codes)
        self._by_post: defaultdict[str, list[ExperimentAnswer]] = defaultdict(list)
        for answer in self.answers:
            self._by_post[answer.post].append(answer)
        self.posts = sorted(self._by_post)

    def counts(self) -> ConditionCounts:
        return ConditionCounts(
            answers=len(self.answers),
            items=len({answer.item_id for answer in self.answers}),
            posts=len(self.posts),
            annotators=len({answer.annotator for answer in self.answers}),
            unsound=sum(not answer.is_sound for answer in self.answers),
        )

    def seconds(self) -> list[list[float]]:
        return [
            [answer.seconds for answer in self._by_post[post] if answer.seconds is not None]
            for post in self.posts
        ]

    def with_model(self, codes: Sequence[ExperimentCode] | None = None) -> Fraction:
        """Answers that are the model's, of all that both gave."""
        return self._added_up(codes, lambda code, said, model: (float(said == model), 1.0))

    def prevalence(self, code: ExperimentCode) -> Fraction:
        return self._added_up([code], lambda code, said, model: (float(said in code.present), 1.0))

    def kept(self) -> Fraction:
        """Findings of the model that the annotator has too."""
        return self._added_up(
            None,
            lambda code, said, model: (
                (float(said in code.present), 1.0) if model in code.present else (0.0, 0.0)
            ),
        )

    def added(self) -> Fraction:
        """Findings of the annotator that the model has not."""
        return self._added_up(
            None,
            lambda code, said, model: (
                (float(model not in code.present), 1.0) if said in code.present else (0.0, 0.0)
            ),
        )

    def between(self) -> Fraction:
        """Of every two annotators' answers to one item, code by code, those that are the same."""
        above, below = np.zeros(len(self.posts)), np.zeros(len(self.posts))
        for at, post in enumerate(self.posts):
            for first, second in self._pairs(self._by_post[post]):
                for code in self._codes:
                    if code.code_id in first.values and code.code_id in second.values:
                        above[at] += first.values[code.code_id] == second.values[code.code_id]
                        below[at] += 1
        return Fraction(above, below)

    @staticmethod
    def _pairs(answers: Sequence[ExperimentAnswer]) -> list[tuple[ExperimentAnswer, ExperimentAnswer]]:
        by_item: defaultdict[str, list[ExperimentAnswer]] = defaultdict(list)
        for answer in answers:
            by_item[answer.item_id].append(answer)
        return [pair for same in by_item.values() for pair in combinations(same, 2)]

    def _added_up(
        self,
        codes: Sequence[ExperimentCode] | None,
        counted: Callable[[ExperimentCode, int, int], tuple[float, float]],
    ) -> Fraction:
        above, below = np.zeros(len(self.posts)), np.zeros(len(self.posts))
        for at, post in enumerate(self.posts):
            for answer in self._by_post[post]:
                for code in self._codes if codes is None else codes:
                    said, model = answer.values.get(code.code_id), answer.model.get(code.code_id)
                    if said is not None and model is not None:
                        over, under = counted(code, said, model)
                        above[at] += over
                        below[at] += under
        return Fraction(above, below)
