"""Why the server does not do what it was asked: a status, and words that Label Studio shows as they are."""

from __future__ import annotations


class Refused(Exception):
    """Label Studio shows the line beside the status and throws the body away, so the reason stands in both."""

    status: int

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class NotAllowed(Refused):
    status = 401

    def __init__(self) -> None:
        super().__init__("The name or the password is wrong")


class NoSuchAddress(Refused):
    status = 404

    def __init__(self) -> None:
        super().__init__("There is nothing here: the address of a study is /studies/its-name")


class WrongMethod(Refused):
    status = 405

    def __init__(self, allowed: str) -> None:
        super().__init__(f"Use {allowed}")


class BadBody(Refused):
    status = 400


class TooLarge(Refused):
    status = 413

    def __init__(self) -> None:
        super().__init__("That is too much at once: ask for fewer tasks")


class OtherEdition(Refused):
    status = 409

    def __init__(self) -> None:
        super().__init__(
            "The labelling interface is not that of the adapter in service, which knows another edition of the codebook"
        )


class NoneInService(Refused):
    status = 503

    def __init__(self) -> None:
        super().__init__(
            "No adapter of this study is in service, so nothing is predicted: put one in service in Attune"
        )


class Busy(Refused):
    status = 503

    def __init__(self) -> None:
        super().__init__("The model is busy with other texts: try again in a minute")


class NotLoadable(Refused):
    status = 503

    def __init__(self, problem: str) -> None:
        super().__init__(f"The adapter in service cannot be loaded ({problem}): see the server's log")
