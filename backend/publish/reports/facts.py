"""Fills the facts of a report from the database: nothing is told that is not written down there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from analysis.joining.frames import JoinedPart
from analysis.joining.gold import GoldCounts
from analysis.preregistration import Done, PlanFacts, PlannedRule
from analysis.report.codes import codes_of
from analysis.report.facts import (
    AnnotationFacts,
    CodebookFacts,
    CommunityFacts,
    CorpusFacts,
    GoldFacts,
    GoldLeftOut,
    ReleaseFacts,
    ReportFacts,
    Score,
)
from annotation.agreement.reports import BatchAgreement
from backend import VERSION
from backend.core.studies.models import Study
from backend.decide.agreement.models import AgreementReport, ReportKind
from backend.decide.agreement.reading import read_report
from backend.decide.releases.models import Release
from backend.decide.releases.selectors import codebook_in
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import codebook_of
from backend.publish.labelling.models import LabellingRun
from backend.publish.preregistration.selectors import (
    plan_facts,
    plan_numbered,
    planned_edition,
    planned_samples,
)
from backend.publish.reports.gold import unlike_codes
from backend.publish.reports.model_facts import model_facts
from backend.publish.reports.requests import ReportRequest
from backend.publish.reports.samples import sample_words
from codebook.schema import Part


def report_facts(
    run: LabellingRun,
    release: Release | None,
    request: ReportRequest,
    posts: JoinedPart | None,
    replies: JoinedPart | None,
) -> ReportFacts:
    codebook = codebook_of(run.edition)
    counts = [part.gold for part in (posts, replies) if part]
    return ReportFacts(
        study=run.study.name,
        codebook=CodebookFacts(
            title=codebook.title,
            edition=run.edition.number,
            edition_hash=run.edition.hash,
            codes=codes_of(codebook),
        ),
        corpus=CorpusFacts(
            name=run.corpus.name,
            labelled=run.read_scope().in_words(),
            communities=_communities(posts, replies, request),
            samples=_samples(run.study, counts),
        ),
        annotation=_annotation(run.study, release, request),
        release=_release(release),
        model=model_facts(run.adapter, at=run.created_at),
        gold=_gold(run, release, posts, replies) if release else None,
        plan=_plan(run, counts, request),
        seed=run.seed,
        software=f"Attune {VERSION}",
    )


def newest_agreement(edition: Edition) -> AgreementReport | None:
    """On items judged by this edition; of a batch that all have finished, if there is one."""
    found = edition.study.agreement_reports.filter(kind=ReportKind.AGREEMENT, edition=edition)
    return found.order_by("is_partial", "-measured_at", "-pk").first()


def _communities(
    posts: JoinedPart | None, replies: JoinedPart | None, request: ReportRequest
) -> tuple[CommunityFacts, ...]:
    counted: dict[tuple[str, str], list[int]] = {}
    for at, part in enumerate((posts, replies)):
        if part is not None:
            sizes = part.corpus.items.group_by("community", "platform").len()
            for community, platform, n in sizes.iter_rows():
                counted.setdefault((community, platform), [0, 0])[at] = n
    return tuple(
        CommunityFacts(
            name=name, n_posts=n[0], n_replies=n[1], platform=platform, topic=request.topics.get(name, "")
        )
        for (name, platform), n in sorted(counted.items())
    )


def _samples(study: Study, counts: Sequence[GoldCounts]) -> tuple[str, ...]:
    """How the gold was drawn: other samples have nothing to do with the numbers."""
    used = {name for each in counts for name in each.drawn_from}
    found = study.samples.filter(name__in=used).order_by("name")
    return tuple(f"Items were drawn {sample_words(sample)}." for sample in found)


def _annotation(study: Study, release: Release | None, request: ReportRequest) -> AnnotationFacts | None:
    found = AgreementReport.objects.filter(study=study, pk=request.agreement or 0).first()
    measured = read_report(found) if found else None
    n_annotators = release.counts["annotators"] if release else None
    if not isinstance(measured, BatchAgreement):
        return AnnotationFacts(n_annotators=n_annotators) if n_annotators else None
    kappas = [(code.code_id, code.ratings["fleiss_kappa"]) for code in measured.codes]
    return AnnotationFacts(
        n_annotators=n_annotators,
        n_items=max((kappa.n_items for _, kappa in kappas), default=None),
        measure="Fleiss’ κ",
        agreement=tuple(
            Score(code=code, value=kappa.value, low=kappa.low, high=kappa.high) for code, kappa in kappas
        ),
    )


def _plan(run: LabellingRun, counts: Sequence[GoldCounts], request: ReportRequest) -> PlanFacts | None:
    """What this report rests on, of which nothing changes later."""
    if request.plan is None:
        return None
    used = {name for each in counts for name in each.drawn_from}
    samples = run.study.samples.filter(name__in=used).select_related("corpus").order_by("name")
    rule = request.agreement_rule
    done = Done(
        editions=(planned_edition(run.edition),),
        samples=planned_samples(samples),
        agreement_rule=PlannedRule(rule.measure, rule.bound, rule.at_least) if rule else None,
        learners=(run.adapter.learner,),
        epsilons=tuple(request.epsilons),
    )
    return plan_facts(plan_numbered(run.study, request.plan), done)


def _release(release: Release | None) -> ReleaseFacts | None:
    if release is None:
        return None
    return ReleaseFacts(
        name=release.name,
        number=release.number,
        edition=release.edition.number,
        edition_hash=release.edition.hash,
        release_hash=release.hash,
        n_items=release.counts["items"],
        split=release.counts["by_split"],
    )


def _gold(
    run: LabellingRun, release: Release, posts: JoinedPart | None, replies: JoinedPart | None
) -> GoldFacts:
    on_posts = posts.gold if posts else GoldCounts()
    on_replies = replies.gold if replies else GoldCounts()
    drew = sorted({*on_posts.samples, *on_replies.samples})
    known = {sample.name: sample_words(sample) for sample in run.study.samples.filter(name__in=drew)}
    return GoldFacts(
        n_posts=on_posts.n,
        n_replies=on_replies.n,
        drawn=" and ".join(_drawn_words(known, name) for name in drew),
        is_unseen=True,
        unseen_because=_unseen_words(run, release, max(on_posts.n_seen, on_replies.n_seen)),
        left_out=(_left_out(Part.POST, on_posts), _left_out(Part.REPLY, on_replies)),
        unlike=tuple(sorted(unlike_codes(run, codebook_in(release)))),
    )


def _left_out(part: Part, counts: GoldCounts) -> GoldLeftOut:
    return GoldLeftOut(
        part=part, n_seen=counts.n_seen, n_suggested=counts.n_suggested, n_undrawn=counts.n_undrawn
    )


def _drawn_words(known: Mapping[str, str], stage: str) -> str:
    return known.get(stage, f"by active learning in “{stage}”")


def _unseen_words(run: LabellingRun, release: Release, n_seen: int) -> str:
    if not n_seen:
        return "none of its posts were among those that the model learned from"
    whose = (
        "the release" if run.adapter.release_id == release.pk else "the release that the model learned from"
    )
    return (
        f"only items outside the train and validation parts of {whose} were used. Their weights make up for what was "
        "left out, so that each label is as frequent as in all that was judged"
    )
