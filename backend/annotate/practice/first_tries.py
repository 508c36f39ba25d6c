"""What annotators answered before feedback could tell them what is right, where another answer stands by now."""

from __future__ import annotations

from collections.abc import Iterable

from annotation.answers import Answers
from backend.annotate.judgments.first_answers import first_answers
from backend.annotate.judgments.models import Submission
from codebook.schema import Codebook


def first_tries(codebook: Codebook, submissions: Iterable[Submission]) -> dict[int, Answers]:
    """By assigned item: the first sound answer, where another one stands by now.

    An answer in quarantine shows nothing of the gold, so mending it is no second try. One that was deleted did.
    """
    standing = {submission.assigned_item_id: submission for submission in submissions}
    places = [submission.assigned_item for submission in standing.values()]
    return {
        first.place.pk: first.answers
        for first in first_answers(places, codebook)
        if first.version_id != standing[first.place.pk].version_id
    }
