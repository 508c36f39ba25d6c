"""Which answers competence is estimated from, and the newest estimate."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

from backend.annotate.judgments.models import Judgment, SubmissionState
from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.decide.adjudication.annotator_answers import taking_part
from backend.decide.competence.models import CompetenceChoice, CompetenceEstimate
from backend.design.codebooks.models import Edition

Votes = dict[str, list[tuple[str, str, str]]]


def newest_estimate(study: Study) -> CompetenceEstimate | None:
    return study.competence_estimates.select_related("edition", "requested_by").first()


def annotators_see_own(study: Study) -> bool:
    return CompetenceChoice.objects.filter(study=study, annotators_see_own=True).exists()


def votes_by_code(study: Study, edition: Edition) -> tuple[Votes, dict[str, str]]:
    """By code, rows of item, annotator and value under this edition; and each item's post. An answer that was asked for
    in an adaptive overlap counts too: the models look at all answers of an item."""
    answered = taking_part(study).filter(
        state=SubmissionState.SUBMITTED, assigned_item__assignment__batch__edition=edition
    )
    place = "submission__assigned_item"
    rows = Judgment.objects.filter(submission__in=answered).values_list(
        "code",
        f"{place}__item__item_id",
        f"{place}__item__platform",
        f"{place}__item__post_id",
        f"{place}__assignment__annotator__username",
        "value",
    )
    votes: dict[str, dict[tuple[str, str], str]] = defaultdict(dict)
    posts = {}
    for code, item, platform, post, who, value in rows.order_by("-submission_id"):
        posts[item] = f"{platform}:{post}"
        # The earliest of several batches counts, as it does everywhere
        votes[code][item, who] = str(value)
    return {
        code: [(item, who, value) for (item, who), value in said.items()] for code, said in votes.items()
    }, posts


def work_page_context(user: User, study: Study, now: datetime) -> dict[str, object]:
    return {"sees_own_competence": annotators_see_own(study) and newest_estimate(study) is not None}
