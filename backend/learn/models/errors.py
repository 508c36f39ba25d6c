"""What can go wrong with adapters, each under its own name."""

from __future__ import annotations

from collections.abc import Sequence


class AdapterError(Exception):
    """Something that cannot be done with an adapter; the message says why and what to do."""


class TextsNeeded(AdapterError):
    def __init__(self, release: str) -> None:
        super().__init__(
            f"The release “{release}” holds no texts, and a model reads texts: freeze one with texts first."
        )


class UnknownLearner(AdapterError):
    """Its message names those that there are."""


class UnknownOption(AdapterError):
    def __init__(self, learner: str, option: str, known: Sequence[str]) -> None:
        super().__init__(f"The learner {learner} knows no {option!r}: it takes {', '.join(known)}.")


class AlwaysAnew(AdapterError):
    def __init__(self, learner: str) -> None:
        super().__init__(f"The learner {learner} always learns anew: it cannot begin from an adapter.")


class OtherLearner(AdapterError):
    def __init__(self, number: int, learner: str) -> None:
        super().__init__(
            f"Adapter {number} was trained by the learner {learner}: only that one can go on from it."
        )


class TooManyTrainings(AdapterError):
    def __init__(self, asked: int, most: int) -> None:
        super().__init__(f"That would be {asked} trainings: ask for {most} at most at once.")


class NotComparable(AdapterError):
    def __init__(self) -> None:
        super().__init__("Choose two different adapters that were trained on the same release.")


class NoPredictions(AdapterError):
    def __init__(self, name: str, part: str) -> None:
        super().__init__(f"No predictions of “{name}” on the {part} part are kept: train it again.")


class NothingToProbe(AdapterError):
    """Its message says why, as the probe itself does."""


class CorpusWithoutPosts(AdapterError):
    def __init__(self, name: str) -> None:
        super().__init__(f"The corpus “{name}” holds no posts: import some, or choose other unrelated posts.")


class OtherRelease(AdapterError):
    def __init__(self) -> None:
        super().__init__(
            "The adapter's card names another release than was asked for: see that all processes run the same version."
        )


class OtherParent(AdapterError):
    def __init__(self) -> None:
        super().__init__(
            "The adapter's card names another parent than was asked for: see that all processes run the same version."
        )


class FilesMissing(AdapterError):
    def __init__(self, adapter_id: str) -> None:
        super().__init__(f"The files of the adapter {adapter_id[:12]} are gone: train it again.")


class RuleNotMet(AdapterError):
    def __init__(self) -> None:
        super().__init__(
            "This adapter does not meet the promotion rule: override it with a reason, if you have one."
        )


class ReportOutdated(AdapterError):
    def __init__(self) -> None:
        super().__init__(
            "Another adapter is in service than the one it was compared with, or the rule has changed since: "
            "examine it again."
        )


class ReportOfAnother(AdapterError):
    def __init__(self) -> None:
        super().__init__("This promotion report is about another adapter: examine this one.")


class ReasonNeeded(AdapterError):
    def __init__(self) -> None:
        super().__init__("Say why the adapter enters service against the promotion rule: the reason is kept.")


class InServiceAlready(AdapterError):
    def __init__(self, name: str) -> None:
        super().__init__(f"“{name}” is in service already.")


class NothingInService(AdapterError):
    def __init__(self) -> None:
        super().__init__("No adapter of this study is in service.")


class NothingToGoBackTo(AdapterError):
    def __init__(self, name: str) -> None:
        super().__init__(f"Nothing was in service before “{name}”: retire it, if it should not be.")


class RetiredAlready(AdapterError):
    def __init__(self, name: str) -> None:
        super().__init__(f"“{name}” is retired already.")


class RuleOutOfReach(AdapterError):
    def __init__(self) -> None:
        super().__init__(
            "No adapter could pass: ask for a gain from 0 to below 1, a drop from 0 to 1 and 100 to 10,000 resamples."
        )
