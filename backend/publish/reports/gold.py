"""The gold of a release as the join takes it: who drew what, and what the model has seen."""

from __future__ import annotations

from analysis.joining.gold import Gold, PostKey, seen_posts
from annotation.release.rows import SplitPart
from annotation.release.superseded import meanings
from backend.decide.releases.models import Release
from backend.decide.releases.selectors import read_frozen, rows_of
from backend.design.codebooks.selectors import codebook_of
from backend.learn.models.models import Adapter
from backend.publish.labelling.models import LabellingRun
from backend.publish.reports.samples import sample_facts
from codebook.schema import Codebook

# Thresholds are set on the validation part, so that it is as good as seen.
LEARNED_FROM = (SplitPart.TRAIN.value, SplitPart.VALIDATION.value)


def gold_of(run: LabellingRun, release: Release) -> Gold:
    """Refuses a release whose files are not what was frozen. Nothing here drew what was brought in from elsewhere."""
    frozen = read_frozen(release)
    return Gold(
        rows=frozen.rows,
        samples={} if release.is_imported else sample_facts(run.study, until=release.created_at),
        seen=_seen_by(run.adapter),
        labelled_sample=run.sample.name if run.sample else None,
        unlike=unlike_codes(run, frozen.codebook),
    )


def unlike_codes(run: LabellingRun, judged_by: Codebook) -> frozenset[str]:
    """Those of the run that this codebook defines otherwise, or not at all."""
    judged = meanings(judged_by)
    return frozenset(
        code for code, meaning in meanings(codebook_of(run.edition)).items() if judged.get(code) != meaning
    )


def _seen_by(adapter: Adapter | None) -> frozenset[PostKey]:
    """Also by those from which it began."""
    seen: frozenset[PostKey] = frozenset()
    while adapter is not None:
        seen |= seen_posts(rows_of(adapter.release), LEARNED_FROM)
        adapter = adapter.parent
    return seen
