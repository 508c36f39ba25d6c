"""What can go wrong between Attune and Label Studio. No message ever holds a text, an answer or the token."""

from __future__ import annotations


class LabelStudioError(Exception):
    """Label Studio did not do what was asked."""


class LabelStudioUnreachable(LabelStudioError):
    """No answer, or a broken one. What was asked may have been done all the same: look before asking again."""

    def __init__(self, doing: str, reason: str, *, status: int | None = None) -> None:
        self.status = status
        super().__init__(
            f"Label Studio did not answer ({reason}) while Attune wanted to {doing}. "
            "Check that it is running; Attune tries again by itself."
        )


class LabelStudioRefused(LabelStudioError):
    """A clear no. Asking the same again will not help."""

    def __init__(self, doing: str, status: int, fields: tuple[str, ...] = ()) -> None:
        self.status = status
        named = f", because of {', '.join(fields)}" if fields else ""
        super().__init__(f"Label Studio refused to {doing} (status {status}{named}). {_advice(status)}")


class ProjectGone(LabelStudioRefused):
    """Somebody deleted the project in Label Studio."""

    def __init__(self, project_id: int, doing: str) -> None:
        self.project_id = project_id
        super().__init__(f"{doing}: project {project_id} is gone", 404)


class LabelStudioUnreadable(LabelStudioError):
    """An answer in another shape than that of the version Attune was written for."""

    def __init__(self, doing: str) -> None:
        super().__init__(
            f"Label Studio's answer could not be read when Attune wanted to {doing}. "
            "Check that its version is the one in requirements/label-studio.in."
        )


def _advice(status: int) -> str:
    if status == 401:
        return "Check that ATTUNE_LABEL_STUDIO_TOKEN is its owner's token."
    if status == 404:
        return "Check that it still exists, and that Label Studio runs with Attune's settings."
    return "Its log says more."
