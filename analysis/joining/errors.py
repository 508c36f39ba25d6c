"""What can keep labels, texts and gold from being joined; every message says what to do."""

from collections.abc import Sequence

from analysis.errors import NotAnalysable


class TextsGone(NotAnalysable):
    def __init__(self, n: int, things: str) -> None:
        super().__init__(
            f"{n:,} labelled {things} are not in the corpus any more, which was changed since: label it again."
        )


class LabelsMissing(NotAnalysable):
    def __init__(self, n: int, things: str) -> None:
        super().__init__(f"{n:,} {things} lack a label: let the run finish, or start it again.")


class TopicMissing(NotAnalysable):
    def __init__(self, communities: Sequence[str]) -> None:
        super().__init__(
            f"No topic is given for {', '.join(communities)}: give each community one, or none to any."
        )
