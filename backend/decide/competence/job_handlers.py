"""Estimates the competence of a study's annotators, theme by theme."""

from __future__ import annotations

from django.urls import reverse
from django.utils import timezone

from backend.core.accounts.models import User
from backend.core.jobs.context import JobContext
from backend.core.jobs.handlers import job_handler
from backend.core.jobs.values import Json, JsonObject
from backend.core.studies.models import Study
from backend.decide.competence.selectors import votes_by_code
from backend.decide.competence.services import ESTIMATE_COMPETENCE, EstimateJob, keep_estimate
from backend.decide.competence.themes import ThemeCompetence
from backend.design.codebooks.selectors import codebook_of, edition_in_force
from codebook.schema import AnswerKind

SEED = 1


@job_handler(ESTIMATE_COMPETENCE)
def estimate(context: JobContext, arguments: JsonObject) -> Json:
    """Rating scales are left out: between neighbours on a scale nobody is simply right."""
    from annotation.consensus.competence import competences  # loads numpy
    from annotation.consensus.competence_values import LEAST, RESAMPLES
    from annotation.consensus.votes import votes_from

    job = EstimateJob.model_validate(arguments)
    study = Study.objects.get(pk=job.study)
    edition = edition_in_force(study)
    votes, posts = votes_by_code(study, edition)
    asked = [
        code
        for question, code in codebook_of(edition).coded_questions()
        if question.answer is not AnswerKind.SCALE and code.id in votes
    ]
    done, total = 0, len(asked) * RESAMPLES
    themes = []
    for code in asked:

        def report() -> None:
            nonlocal done
            done += 1
            context.report(done=done, total=total, unit="draws", note="Drawing posts again and again")

        cast = votes_from(votes[code.id])
        found = competences(cast, clusters=posts, seed=SEED, report=report)
        shared = len({item for item, n in _counts(votes[code.id]).items() if n > 1})
        themes.append(ThemeCompetence(code.id, code.name, shared, list(found)))
    with context.fenced_transaction():
        keep_estimate(
            study=study,
            edition=edition,
            themes=themes,
            resamples=RESAMPLES,
            least=LEAST,
            actor=User.objects.get(pk=job.actor),
            now=timezone.now(),
        )
    return {
        "summary": f"The competence of annotators is estimated on {len(themes)} themes.",
        "url": reverse("competence:page", args=[study.slug]),
    }


def _counts(rows: list[tuple[str, str, str]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for item, _, _ in rows:
        found[item] = found.get(item, 0) + 1
    return found
