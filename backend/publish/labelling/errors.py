"""What can go wrong with labelling a corpus, each under its own name."""

from __future__ import annotations


class LabellingError(Exception):
    """Something that cannot be done with a labelling run; the message says why and what to do."""


class NothingInService(LabellingError):
    def __init__(self) -> None:
        super().__init__("No model of this study is in service: put one in service, or name the adapter.")


class CorpusEmpty(LabellingError):
    def __init__(self, name: str) -> None:
        super().__init__(f"“{name}” holds no texts yet: import some first.")


class SampleElsewhere(LabellingError):
    def __init__(self, sample: str, corpus: str) -> None:
        super().__init__(
            f"The sample “{sample}” was not drawn from “{corpus}”: choose the corpus that it was drawn from."
        )


class SampleIsWhole(LabellingError):
    def __init__(self) -> None:
        super().__init__(
            "A sample is labelled as it was drawn: choose communities and a number of posts only without one."
        )


class CommunityMissing(LabellingError):
    def __init__(self, names: list[str], known: list[str]) -> None:
        super().__init__(
            f"The corpus has no community {', '.join(names)}: it has {', '.join(known) or 'none yet'}."
        )


class AnotherUnderWay(LabellingError):
    def __init__(self, number: int) -> None:
        super().__init__(
            f"Labelling run {number} is under way: wait until it is done, or pause or stop it first."
        )


class NotUnderWay(LabellingError):
    def __init__(self, number: int, state: str) -> None:
        super().__init__(f"Labelling run {number} is not under way ({state}): there is nothing to pause.")


class NotStopped(LabellingError):
    def __init__(self, number: int, state: str) -> None:
        super().__init__(
            f"Labelling run {number} cannot go on ({state}): only one that was paused, stopped or failed can."
        )


class StillStopping(LabellingError):
    def __init__(self, number: int) -> None:
        super().__init__(
            f"Labelling run {number} is still being stopped: try again in half a minute, when its workers are gone."
        )


class IsOver(LabellingError):
    def __init__(self, number: int, state: str) -> None:
        super().__init__(f"Labelling run {number} is over ({state}): there is nothing to stop.")


class NothingToAsk(LabellingError):
    def __init__(self, adapter: str) -> None:
        super().__init__(f"“{adapter}” has learned no code at all: choose another adapter.")


class CorpusChanged(LabellingError):
    def __init__(self, name: str) -> None:
        super().__init__(
            f"“{name}” holds other texts than when the run was started, so that its labels would not fit: "
            "start a new run on it."
        )


class ShardBroken(LabellingError):
    def __init__(self, shard: int, problem: str) -> None:
        super().__init__(
            f"{problem} The file of shard {shard} was removed: start the run again, and it is labelled anew."
        )
