"""What can go wrong with reports, each under its own name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from backend.core.web.formats import within_data


class ReportError(Exception):
    """Something that cannot be done with a report; the message says why and what to do."""


class RunNotFinished(ReportError):
    def __init__(self, number: int) -> None:
        super().__init__(
            f"Labelling run {number} is not finished: a report needs every label. Let it end first."
        )


class LabelsChanged(ReportError):
    def __init__(self, number: int, problems: Sequence[str]) -> None:
        super().__init__(
            f"The labels of run {number} are not what the run ended with ({'; '.join(problems)}): fetch an intact copy "
            "of its folder, or label again."
        )


class CorpusChanged(ReportError):
    def __init__(self, corpus: str) -> None:
        super().__init__(
            f"The corpus “{corpus}” was changed since it was labelled, so that labels and texts no longer belong "
            "together: label it again."
        )


class NothingSaid(ReportError):
    def __init__(self) -> None:
        super().__init__("The run labelled neither posts nor replies: choose another one.")


class CannotBeJoined(ReportError):
    """Labels, texts and topics that do not fit together; the message says which."""


class UnknownTopics(ReportError):
    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(
            f"Topics are given for communities that the run did not label: {', '.join(names)}. Leave them out."
        )


class UnknownSections(ReportError):
    def __init__(self, names: Sequence[str], known: Sequence[str]) -> None:
        super().__init__(f"A report has no section {', '.join(names)}: it has {', '.join(known)}.")


class FolderMissing(ReportError):
    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"The files of this report are gone from {within_data(folder)}: restore them from a copy."
        )


class NotAsMade(ReportError):
    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(
            f"The files are not what was made ({'; '.join(problems)}): restore them, or make the report anew."
        )


class ReportsBusy(ReportError):
    def __init__(self) -> None:
        super().__init__("Another report of this study is being written: try again in a moment.")
