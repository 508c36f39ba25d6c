"""What can go wrong with a transfer study, each under its own name."""

from __future__ import annotations


class TransferError(Exception):
    """A transfer study that cannot be run as it is asked for; the message says why and what to do."""


class TaskUnknown(TransferError):
    """A release or code that is not there, or in a study that the person does no research in."""

    def __init__(self, study: str, release: int, code: str) -> None:
        super().__init__(
            f"There is no code {code} in a release {release} of a study {study} that you do research in."
        )


class StudyUnusable(TransferError):
    """Its tasks cannot be learned, or not together; the message is that of whoever read them."""


class TransferFinished(TransferError):
    def __init__(self, number: int) -> None:
        super().__init__(f"Transfer study {number} is finished: start another one.")


class NotStopped(TransferError):
    def __init__(self, number: int) -> None:
        super().__init__(f"Transfer study {number} is under way: stop it first.")


class NotUnderWay(TransferError):
    def __init__(self, number: int) -> None:
        super().__init__(f"Transfer study {number} is not under way: there is nothing to stop.")
