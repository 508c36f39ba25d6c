"""How Attune sets up a project in Label Studio; measured on 1.23.2, and always said outright."""

from __future__ import annotations

from typing import Final, TypedDict

SHORTEST_TITLE = 3
LONGEST_TITLE = 50


class ProjectSettings(TypedDict):
    sampling: str
    skip_queue: str
    maximum_annotations: int
    show_skip_button: bool
    enable_empty_annotation: bool
    show_annotation_history: bool
    show_collab_predictions: bool
    evaluate_predictions_automatically: bool
    reveal_preannotations_interactively: bool
    show_instruction: bool
    expert_instruction: str


PROJECT_SETTINGS: Final[ProjectSettings] = {
    # The stream hands out tasks by ascending id, so in the order of the import.
    "sampling": "Sequential sampling",
    # A skipped item does not come back by itself: it would keep its annotator from ever finishing.
    "skip_queue": "REQUEUE_FOR_OTHERS",
    # One person works here. Label Studio does not enforce it, but the stream leaves out what is done.
    "maximum_annotations": 1,
    "show_skip_button": True,
    # An item in which nothing applies is an answer: nothing ticked, submitted.
    "enable_empty_annotation": True,
    "show_annotation_history": False,
    # Annotators must not see what a model thinks, nor must opening a task ask one.
    "show_collab_predictions": False,
    "evaluate_predictions_automatically": False,
    "reveal_preannotations_interactively": False,
    # The codebook stands beside each question.
    "show_instruction": False,
    "expert_instruction": "",
}


def fitting_title(title: str) -> str:
    """Label Studio takes titles of 3 to 50 characters.

    >>> fitting_title("A"), fitting_title("Overlap 3, Bea"), len(fitting_title("x" * 60))
    ('A -', 'Overlap 3, Bea', 50)
    """
    longer = title.strip()
    while len(longer) < SHORTEST_TITLE:
        longer += " -"
    return longer if len(longer) <= LONGEST_TITLE else longer[: LONGEST_TITLE - 1].rstrip() + "…"
