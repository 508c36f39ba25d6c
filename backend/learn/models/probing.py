"""Has the ML backend probe whether an adapter looks at the post, within any job, and keeps what it found."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from backend.core.accounts.models import User
from backend.core.jobs.context import JobContext
from backend.core.ml_tasks.folders import task_folder
from backend.core.ml_tasks.working import refuse_unless, work_on
from backend.core.studies.models import Study
from backend.core.studies.services import record_event
from backend.design.codebooks.selectors import codebook_of
from backend.design.corpora.files import file_path, study_files
from backend.design.corpora.selectors import corpus_counts, corpus_of
from backend.learn.models.errors import CorpusWithoutPosts, NothingToProbe
from backend.learn.models.models import Adapter, ContextProbe
from backend.learn.models.promotion import promotion_of
from backend.learn.models.requests import ContextProbeRequest, PostSource
from backend.learn.models.selectors import adapters_of
from codebook.schema import Codebook, Part
from learning.probe.measure import NothingProbed
from learning.probe.values import ProbeReport, encode_probe
from learning.probe.variants import UnrelatedPost
from learning.probe.words import probe_sentence
from learning.tasks.contract import ProbeRequest, UnrelatedFile
from learning.tasks.folder import TaskFolder

RESAMPLES, SEED, MOST_POSTS = 1000, 1, 1000
UNRELATED = "unrelated.jsonl"
READABLE = (".csv", ".jsonl", ".parquet", ".txt")


def probe_and_keep(
    context: JobContext, *, adapter: Adapter, asked: ContextProbeRequest, actor: User | None, now: datetime
) -> ContextProbe:
    """What it found the last time is not kept twice."""
    study, release = adapter.study, adapter.release
    folder = task_folder(study, context.job_id)
    request = ProbeRequest(
        adapter=str(adapter.folder),
        release=str(release.folder),
        release_hash=release.hash,
        unrelated=_unrelated_file(folder, study, asked),
        resamples=RESAMPLES,
        seed=SEED,
    )
    report = work_on(context, folder, request).report
    refuse_unless((report.adapter_id, report.release_hash) == (adapter.adapter_id, release.hash), folder)
    content = encode_probe(report).decode()
    with context.fenced_transaction():
        last = adapter.context_probes.first()
        if last and last.content == content:
            return last
        record_event(
            study=study, actor=actor, summary=f"Probed adapter {adapter.number}, “{adapter.name}”", now=now
        )
        return ContextProbe.objects.create(
            study=study, adapter=adapter, content=content, created_by=actor, created_at=now
        )


def refuse_unprobeable(adapter: Adapter, asked: ContextProbeRequest) -> None:
    """Before anything is queued: codes of posts alone, a corpus without posts, and what is not there."""
    if not probed_names(adapter):
        raise NothingToProbe(str(NothingProbed()))
    if asked.source is PostSource.FILE:
        file_path(adapter.study, asked.name)
    elif asked.source is PostSource.CORPUS and not corpus_counts(corpus_of(adapter.study, asked.name))[1]:
        raise CorpusWithoutPosts(asked.name)


def post_sources(study: Study) -> list[tuple[ContextProbeRequest, str]]:
    """What a probe can be asked to take, in words."""
    return [
        (ContextProbeRequest(), "Posts of the release’s other parts"),
        *(
            (ContextProbeRequest(source=PostSource.CORPUS, name=corpus.slug), f"Corpus: {corpus.name}")
            for corpus in study.corpora.all()
        ),
        *(
            (ContextProbeRequest(source=PostSource.FILE, name=file.name), f"File: {file.name}")
            for file in study_files(study)
            if file.name.lower().endswith(READABLE)
        ),
    ]


def probed_names(adapter: Adapter) -> dict[str, str]:
    """By code, of those of the reply that the adapter learned."""
    learned = set(adapter.read_card().codes)
    return {
        code: name for code, name in _reply_names(codebook_of(adapter.edition)).items() if code in learned
    }


def _reply_names(codebook: Codebook) -> dict[str, str]:
    return {
        code.id: code.name for question, code in codebook.coded_questions() if question.part is Part.REPLY
    }


def newest_probe(adapter: Adapter, *, until: datetime | None = None) -> ProbeReport | None:
    """As it stood then, else now."""
    found = adapter.context_probes.filter(created_at__lte=until) if until else adapter.context_probes.all()
    probe = found.first()
    return probe.read_report() if probe else None


def newest_probes(study: Study) -> dict[int, ProbeReport]:
    """By adapter."""
    oldest_first = study.context_probes.order_by("created_at", "pk")
    newest = {probe.adapter_id: probe for probe in oldest_first}
    return {adapter: probe.read_report() for adapter, probe in newest.items()}


def probe_words(adapter: Adapter, *, until: datetime | None = None) -> str:
    """The sentence for cards and papers; empty where it was never probed."""
    report = newest_probe(adapter, until=until)
    return probe_sentence(report, _reply_names(codebook_of(adapter.edition))) if report else ""


def adapters_in_words(study: Study, adapter_ids: Collection[str]) -> tuple[str, ...]:
    """How each entered service, and what its newest probe found."""
    found = adapters_of(study).filter(adapter_id__in=adapter_ids).order_by("number")
    return tuple(" ".join(filter(None, (promotion_of(each).words, probe_words(each)))) for each in found)


def _unrelated_file(folder: TaskFolder, study: Study, asked: ContextProbeRequest) -> UnrelatedFile | None:
    """Written where the ML backend sees it, wherever that runs."""
    from learning.probe.corpus_posts import write_unrelated  # polars comes with it

    found = _unrelated_posts(study, asked)
    if found is None:
        return None
    source, posts = found
    folder.path.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder.path / UNRELATED
    write_unrelated(path, posts)
    return UnrelatedFile(str(path), source)


def _unrelated_posts(
    study: Study, asked: ContextProbeRequest
) -> tuple[str, tuple[UnrelatedPost, ...]] | None:
    from learning.probe.corpus_posts import posts_of_corpus
    from learning.probe.unrelated import read_unrelated

    match asked.source:
        case PostSource.RELEASE:
            return None
        case PostSource.CORPUS:
            corpus = corpus_of(study, asked.name)
            return f"corpus “{corpus.name}”", posts_of_corpus(corpus.store, n=MOST_POSTS, seed=SEED)
        case PostSource.FILE:
            return asked.name, read_unrelated(file_path(study, asked.name))
