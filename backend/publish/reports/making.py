"""From a finished run to the files of a report: checks what goes in, joins it, computes and writes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from analysis.errors import NotAnalysable
from analysis.joining.frames import JoinedPart, Sources, joined_part
from analysis.marked_passages import MarkedPassages
from analysis.report.content import MANIFEST, Report, ReportOptions
from analysis.report.material import ReportInput
from backend.decide.releases.models import Release
from backend.design.codebooks.selectors import codebook_of
from backend.publish.labelling.models import LabellingRun, LabellingState
from backend.publish.reports.errors import (
    CannotBeJoined,
    CorpusChanged,
    LabelsChanged,
    NothingSaid,
    RunNotFinished,
)
from backend.publish.reports.facts import report_facts
from backend.publish.reports.gold import gold_of
from backend.publish.reports.passages import marked_passages
from backend.publish.reports.requests import ReportRequest
from backend.publish.reports.selectors import communities_of
from codebook.schema import Part
from learning.labelling.facts import read_facts
from learning.labelling.read import scan_labels, scan_units
from learning.labelling.sealing import verify_run

Progress = Callable[[str], None]
STEPS = 6
MARKED_SENTENCES = "marked-sentences"


@dataclass(frozen=True, slots=True)
class Asked:
    """A request with what its numbers stand for."""

    run: LabellingRun
    release: Release | None
    request: ReportRequest


def write_files(folder: Path, asked: Asked, say: Progress = lambda note: None) -> str:
    """Into an empty folder; the hash of the manifest. The same request on the same data gives the same bytes."""
    say("Holding the labels against their hashes")
    _check(asked.run)
    say("Joining posts")
    sources = _sources(asked)
    posts = _part(asked, sources, Part.POST)
    say("Joining replies")
    replies = _part(asked, sources, Part.REPLY)
    if posts is None and replies is None:
        raise NothingSaid
    say("Computing tables")
    report = _report(asked, posts, replies, _marked_passages(asked))
    say("Drawing figures")
    # Statistics and drawing are large, so that only the process that makes a report loads them
    from analysis.report.files import write_report

    write_report(folder, report, inputs=_inputs(asked, report))
    say("Keeping it")
    return hashlib.sha256((folder / MANIFEST).read_bytes()).hexdigest()


def _check(run: LabellingRun) -> None:
    if run.state != LabellingState.FINISHED:
        raise RunNotFinished(run.number)
    if problems := verify_run(run.folder, run.output_hash):
        raise LabelsChanged(run.number, problems)
    if not _is_as_labelled(run):
        raise CorpusChanged(run.corpus.name)


def _is_as_labelled(run: LabellingRun) -> bool:
    """Communities that came into the corpus since do no harm."""
    manifest = run.corpus.store.manifest()
    before = {record.id for record in manifest.imports if record.finished <= run.created_at}
    known = {name: where for name, where in manifest.communities.items() if where in before}
    return run.corpus_state in (manifest.state, replace(manifest, communities=known).state)


def _sources(asked: Asked) -> Sources:
    store = asked.run.corpus.store
    return Sources(
        labels=scan_labels(asked.run.folder),
        units=scan_units(asked.run.folder),
        posts=store.scan_posts(),
        replies=store.scan_replies(),
        topics=asked.request.topics,
        gold=gold_of(asked.run, asked.release) if asked.release else None,
    )


def _part(asked: Asked, sources: Sources, part: Part) -> JoinedPart | None:
    """Names and order of codes as in the codebook."""
    labelled = frozenset(read_facts(asked.run.files.facts).codes_of(part.value))
    known = codebook_of(asked.run.edition).coded_questions()
    codes = {
        code.id: code.name for question, code in known if question.once_for is part and code.id in labelled
    }
    try:
        return joined_part(sources, part, codes)
    except NotAnalysable as problem:
        raise CannotBeJoined(str(problem)) from problem


def _marked_passages(asked: Asked) -> tuple[MarkedPassages, ...]:
    """Their texts are read only for the section about them."""
    chosen = asked.request.sections
    return marked_passages(asked.run) if not chosen or MARKED_SENTENCES in chosen else ()


def _report(
    asked: Asked,
    posts: JoinedPart | None,
    replies: JoinedPart | None,
    passages: tuple[MarkedPassages, ...],
) -> Report:
    from analysis.report.build import build_report

    request = asked.request
    given = ReportInput(
        posts=posts.corpus if posts else None,
        replies=replies.corpus if replies else None,
        facts=report_facts(asked.run, asked.release, request, posts, replies),
        passages=passages,
        lexicon=request.lexicon.lexicon() if request.lexicon else None,
    )
    options = ReportOptions(
        title=request.title,
        with_corrected=request.with_corrected,
        surrogate=request.surrogate,
        every=request.every,
        sections=tuple(request.sections),
    )
    return build_report(given, options)


def _inputs(asked: Asked, report: Report) -> dict[str, str]:
    """The sha256 of everything that went in, by name."""
    run = asked.run
    imports = run.corpus.store.manifest().communities
    communities = [(name, imports.get(name)) for name in communities_of(run)]
    found = {
        "adapter": run.adapter.adapter_id,
        "codebook": run.edition.hash,
        "corpus": _hash(communities),
        "facts": _hash(report.facts),
        "labels": run.output_hash,
        "request": _hash(asked.request.model_dump(mode="json")),
    }
    return found | ({"release": asked.release.hash} if asked.release else {})


def _hash(content: object) -> str:
    return hashlib.sha256(msgspec.json.encode(content, order="deterministic")).hexdigest()
