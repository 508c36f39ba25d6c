"""The long work of corpora, run by a worker."""

from __future__ import annotations

from functools import partial

from django.urls import reverse
from django.utils import timezone

from backend.core.accounts.models import User
from backend.core.jobs.context import JobContext
from backend.core.jobs.errors import JobPostponed
from backend.core.jobs.handlers import job_handler
from backend.core.jobs.values import Json, JsonObject
from backend.design.corpora.files import file_path
from backend.design.corpora.import_requests import ImportJob
from backend.design.corpora.models import Corpus
from backend.design.corpora.services import IMPORT_CORPUS, import_into
from corpus.errors import StoreBusy
from corpus.progress import Progress


@job_handler(IMPORT_CORPUS)
def import_corpus(context: JobContext, arguments: JsonObject) -> Json:
    job = ImportJob.model_validate(arguments)
    corpus = Corpus.objects.select_related("study").get(pk=job.corpus)

    def report(progress: Progress) -> None:
        context.report(
            done=progress.done_bytes,
            total=progress.total_bytes,
            unit="bytes",
            note=f"{progress.records:,} records read",
        )

    try:
        outcome = import_into(
            corpus=corpus,
            request=job.request,
            resolve=partial(file_path, corpus.study),
            actor=User.objects.get(pk=job.actor),
            clock=timezone.now,
            on_progress=report,
        )
    except StoreBusy as busy:
        raise JobPostponed(str(busy)) from busy
    earlier = "Imported before, nothing was added: " if outcome.already_imported else ""
    return {
        "summary": earlier + outcome.summary,
        "url": reverse("corpora:detail", args=[corpus.study.slug, corpus.slug]),
    }
