"""Why there is no feedback; each message says what to do, and none holds a text."""

from __future__ import annotations


class FeedbackError(Exception):
    """The model cannot be asked, or has nothing to say."""


class NoModel(FeedbackError):
    def __init__(self) -> None:
        super().__init__(
            "No model of this study is in service yet: a researcher puts one in service under Models."
        )


class NoPassword(FeedbackError):
    def __init__(self) -> None:
        super().__init__(
            "Attune does not know the password of the ML backend's server: set ATTUNE_ML_SERVER_PASSWORD and restart."
        )


class ServerAway(FeedbackError):
    def __init__(self) -> None:
        super().__init__(
            "The ML backend's server does not answer: see that the process ml-server runs, and try again."
        )


class ServerSlow(FeedbackError):
    """Asking again at once only makes the model work on it twice."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"The model took longer than {seconds:g} s. After a start it is loaded first: try again in a minute. "
            "If that takes as long, paste less text; ATTUNE_ML_SERVER_PATIENCE_SECONDS lets Attune wait longer."
        )


class ServerRefused(FeedbackError):
    """With the reason that the server gives, which never quotes a text."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The ML backend's server says: {reason}.")


class AnswerUnreadable(FeedbackError):
    def __init__(self) -> None:
        super().__init__(
            "The ML backend's server answered what this version of Attune cannot read: restart both, so that they are "
            "of one version."
        )


class TextTooLong(FeedbackError):
    def __init__(self, what: str, longest: int) -> None:
        super().__init__(f"The {what} is longer than {longest:,} characters: paste a part of it.")


class NothingToJudge(FeedbackError):
    def __init__(self, needs: str) -> None:
        super().__init__(f"The model needs a {needs} and there is none: paste a {needs} too.")


class BelongsToStudy(FeedbackError):
    def __init__(self) -> None:
        super().__init__(
            "This text is one of the study's own, which people judge by themselves: ask about another one."
        )
