"""What samples drew and what batches took of them, as the weights of gold take it.

All of it is read from the rows of draws and shares, which never change, as they were when a release was frozen, and in
the order in which batches were opened: neither another name of a batch nor what came since makes a difference.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

from analysis.joining.weight_shares import DealtBatch, SampledItem, SampleFacts
from backend.annotate.batches.candidates import FIRST_TIME_KINDS
from backend.annotate.batches.models import AssignedItem, Batch, BatchKind, BatchState
from backend.annotate.practice.models import GoldAnswer
from backend.core.studies.models import Study
from backend.decide.releases.draws import is_made_from
from backend.design.samples.models import Sample
from backend.learn.active_learning.models import ChosenItem
from learning.query_strategies.names import Stream

_Items = dict[str, tuple[Stream, float] | None]
KINDS = tuple(kind for kind in FIRST_TIME_KINDS if kind != BatchKind.PRACTICE)
WORDS = {
    "pps_posts": "posts with probability proportional to the number of replies plus one, with one reply each",
    "uniform_pairs": "pairs of a post and a reply with equal probability",
    "whole_posts": "posts with equal probability, with all their replies",
}


def sample_facts(study: Study, *, until: datetime) -> dict[str, SampleFacts]:
    golden = _golden(study, until)
    batches = _batches(study, golden, until)
    samples = study.samples.order_by("name").prefetch_related("disjoint_from")
    return {sample.name: _facts(sample, batches, golden) for sample in samples}


def sample_words(sample: Sample) -> str:
    """After “drawn”."""
    kind = sample.design["kind"]
    return f"for the sample “{sample.name}” ({WORDS.get(kind, kind)}; {sample.n_items:,} items, seed {sample.seed})"


def _facts(sample: Sample, batches: list[tuple[Batch, _Items]], golden: frozenset[str]) -> SampleFacts:
    rows = sample.draws.order_by("position").values_list(
        "item__item_id",
        "item__community",
        "item__post_id",
        "item__reply_id",
        "post_probability",
        "reply_probability",
        "inclusion_probability",
    )
    items = {row[0]: SampledItem(*row) for row in rows}
    return SampleFacts(
        name=sample.name,
        items=items,
        batches=tuple(
            DealtBatch(
                name=batch.name,
                items={name: drawn for name, drawn in taken.items() if name in items},
                is_chosen=batch.kind == BatchKind.ACTIVE,
                is_of_sample=is_made_from(batch, sample),
            )
            for batch, taken in batches
            if not items.keys().isdisjoint(taken)
        ),
        left_out=frozenset(other.name for other in sample.disjoint_from.all()),
        set_aside=golden & items.keys(),
    )


def _golden(study: Study, until: datetime) -> frozenset[str]:
    """Items that were for practice alone then."""
    written = GoldAnswer.objects.filter(item__study=study, written_at__lte=until)
    return frozenset(written.exclude(replaced_at__lte=until).values_list("item__item_id", flat=True))


def _batches(study: Study, golden: frozenset[str], until: datetime) -> list[tuple[Batch, _Items]]:
    """In the order of their opening, each with the items that it had before any other."""
    chosen = {
        (batch, item): (Stream(stream), probability)
        for batch, item, stream, probability in ChosenItem.objects.filter(
            choice__batch__study=study
        ).values_list("choice__batch_id", "item__item_id", "stream", "inclusion_probability")
    }
    batches = study.batches.filter(kind__in=KINDS, opened_at__lte=until).exclude(state=BatchState.DISCARDING)
    in_order = list(batches.select_related("choice").order_by("opened_at", "pk"))
    given: dict[int, set[str]] = defaultdict(set)
    rows = AssignedItem.objects.filter(assignment__batch__in=in_order)
    for batch, item in rows.values_list("assignment__batch_id", "item__item_id"):
        given[batch].add(item)
    taken = set(golden)
    found = []
    for each in in_order:
        own = sorted(given[each.pk] - taken)
        taken.update(own)
        found.append((each, {item: chosen.get((each.pk, item)) for item in own}))
    return found
