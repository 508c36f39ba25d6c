"""The gold of a release as the join takes it: who drew what, and what the model has seen."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.joining.gold import Gold, PostKey, seen_posts
from analysis.joining.weights import SampleFacts
from annotation.release.rows import ReleaseRow, SplitPart
from annotation.release.superseded import meanings
from backend.adapters.models import Adapter
from backend.batches.models import BatchKind
from backend.codebooks.selectors import codebook_of
from backend.labelling.models import LabellingRun
from backend.releases.models import Release
from backend.releases.selectors import read_frozen, rows_of
from backend.samples.models import Draw, Sample
from backend.studies.models import Study
from codebook.schema import Codebook

# Thresholds are set on the validation part, so that it is as good as seen.
LEARNED_FROM = (SplitPart.TRAIN.value, SplitPart.VALIDATION.value)
WORDS = {
    "pps_posts": "posts with probability proportional to the number of replies plus one, with one reply each",
    "uniform_pairs": "pairs of a post and a reply with equal probability",
    "whole_posts": "posts with equal probability, with all their replies",
}


def gold_of(run: LabellingRun, release: Release) -> Gold:
    """Refuses a release whose files are not what was frozen."""
    frozen = read_frozen(release)
    active = run.study.batches.filter(kind=BatchKind.ACTIVE)
    return Gold(
        rows=frozen.rows,
        samples=sample_facts(run.study),
        seen=_seen_by(run.adapter),
        labelled_sample=run.sample.name if run.sample else None,
        batches=tuple(active.order_by("opened_at", "pk").values_list("name", flat=True)),
        sampled=_sampled(run.study, frozen.rows),
        unlike=unlike_codes(run, frozen.codebook),
    )


def unlike_codes(run: LabellingRun, judged_by: Codebook) -> frozenset[str]:
    """Those of the run that this codebook defines otherwise, or not at all."""
    judged = meanings(judged_by)
    return frozenset(
        code for code, meaning in meanings(codebook_of(run.edition)).items() if judged.get(code) != meaning
    )


def _sampled(study: Study, rows: Sequence[ReleaseRow]) -> dict[tuple[str, str], tuple[float, float]]:
    """Of items that active learning chose: with which probability their sample had drawn them before."""
    chosen = {row.item.item_id for row in rows if any(draw.batch for draw in row.item.draws)}
    if not chosen:
        return {}
    draws = Draw.objects.filter(sample__study=study).values_list(
        "sample__name", "item__item_id", "post_probability", "inclusion_probability"
    )
    return {(sample, item): (post, pair) for sample, item, post, pair in draws if item in chosen}


def _seen_by(adapter: Adapter | None) -> frozenset[PostKey]:
    """Also by those from which it began."""
    seen: frozenset[PostKey] = frozenset()
    while adapter is not None:
        seen |= seen_posts(rows_of(adapter.release), LEARNED_FROM)
        adapter = adapter.parent
    return seen


def sample_facts(study: Study) -> dict[str, SampleFacts]:
    return {sample.name: _facts(sample) for sample in study.samples.prefetch_related("disjoint_from")}


def _facts(sample: Sample) -> SampleFacts:
    drawn = sample.draws.values_list("item__community", "item__post_id")
    return SampleFacts(
        name=sample.name,
        n_posts=len(set(drawn)),
        n_replies=sample.draws.filter(item__reply_id__isnull=False).count(),
        left_out=frozenset(other.name for other in sample.disjoint_from.all()),
        words=sample_words(sample),
    )


def sample_words(sample: Sample) -> str:
    """After “drawn”."""
    kind = sample.design["kind"]
    return f"for the sample “{sample.name}” ({WORDS.get(kind, kind)}; {sample.n_items:,} items, seed {sample.seed})"
