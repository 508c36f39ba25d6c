"""What draws a sample from a corpus into the database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction

from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.core.studies.services import record_event
from backend.design.corpora.models import Corpus
from backend.design.corpora.selectors import corpus_counts
from backend.design.samples.models import Draw, Item, Sample
from backend.design.samples.texts import ItemTexts, texts_of
from corpus.sampling.design_json import design_to_json
from corpus.sampling.designs import Design, PostKey
from corpus.sampling.sample import DrawnItem
from corpus.sampling.sample import Sample as DrawnSample

if TYPE_CHECKING:
    from corpus.sampling.frame import Frame


BATCH = 2000
LARGEST_PREVIEW = 300_000


class SampleError(Exception):
    """A sample that cannot be drawn; the message says why."""


def refuse_taken_name(study: Study, name: str) -> None:
    if study.samples.filter(name=name).exists():
        raise SampleError(f"This study already has a sample named “{name}”: choose another name.")


def preview_sample(
    *, corpus: Corpus, design: Design, seed: int, disjoint_from: Sequence[Sample]
) -> DrawnSample:
    """The very sample that `draw_into_study` would store, without storing it."""
    refuse_slow_preview(corpus)
    return _draw(corpus, design, seed, disjoint_from)


def refuse_impossible(*, corpus: Corpus, design: Design, seed: int, disjoint_from: Sequence[Sample]) -> None:
    """Raises what `draw_into_study` would raise, as far as a web process has the time to find out."""
    if _n_records(corpus) <= LARGEST_PREVIEW:
        _draw(corpus, design, seed, disjoint_from)


def _n_records(corpus: Corpus) -> int:
    _, posts, replies = corpus_counts(corpus)
    return posts + replies


def refuse_slow_preview(corpus: Corpus) -> None:
    """A web process answers people: work on millions of replies is left to a job."""
    n = _n_records(corpus)
    if n > LARGEST_PREVIEW:
        raise SampleError(
            f"“{corpus.name}” is too large for a preview here ({n:,} records): draw the sample, look at "
            "it, and delete it if it is not what you wanted."
        )


def _draw(corpus: Corpus, design: Design, seed: int, disjoint_from: Sequence[Sample]) -> DrawnSample:
    from corpus.sampling.draw import draw_sample  # polars comes with it
    from corpus.sampling.frame import build_frame

    frame = build_frame(corpus.store.scan_posts(), corpus.store.scan_replies())
    excluded = design.exclude | _posts_of(disjoint_from, frame)
    return draw_sample(frame, replace(design, exclude=excluded), seed=seed)


def draw_into_study(
    *,
    corpus: Corpus,
    name: str,
    design: Design,
    seed: int,
    disjoint_from: Sequence[Sample],
    actor: User,
    now: datetime,
    report: Callable[[int, int], None] = lambda done, total: None,
    writing: Callable[[], AbstractContextManager[None]] = transaction.atomic,
) -> Sample:
    """Stored once: drawing the same again gives back the sample that is there.

    Items come first, in short transactions, so that others can write in between; an item without a draw is
    in no sample. The sample and its draws then appear together, in the transaction that `writing` opens.
    `report(done, total)` follows the items.
    """
    study = corpus.study
    drawn = _draw(corpus, design, seed, disjoint_from)
    earlier = Sample.objects.filter(study=study, name=name).first()
    if earlier and _is_the_same(earlier, corpus, drawn, disjoint_from):
        return earlier
    refuse_taken_name(study, name)
    texts = texts_of(corpus.store, drawn.items)
    for start in range(0, len(drawn.items), BATCH):
        report(start, len(drawn.items))
        batch = drawn.items[start : start + BATCH]
        Item.objects.bulk_create([_item(study, item, texts) for item in batch], ignore_conflicts=True)
    report(len(drawn.items), len(drawn.items))
    with writing():
        sample = Sample.objects.create(
            study=study,
            corpus=corpus,
            name=name,
            design=design_to_json(design),
            seed=seed,
            frame_hash=drawn.frame_hash,
            n_items=len(drawn.items),
            created_by=actor,
            created_at=now,
        )
        sample.disjoint_from.set(disjoint_from)
        _store_draws(sample, drawn.items)
        summary = f"Drew sample “{name}” with {len(drawn.items)} items"
        record_event(study=study, actor=actor, summary=summary, now=now)
    return sample


def _is_the_same(
    earlier: Sample, corpus: Corpus, drawn: DrawnSample, disjoint_from: Sequence[Sample]
) -> bool:
    asked = (
        corpus.pk,
        drawn.frame_hash,
        drawn.seed,
        drawn.design.kind,
        {sample.pk for sample in disjoint_from},
    )
    there = (earlier.corpus_id, earlier.frame_hash, earlier.seed, earlier.design["kind"])
    same_size = earlier.n_items == len(drawn.items)
    return (*there, set(earlier.disjoint_from.values_list("pk", flat=True))) == asked and same_size


def _store_draws(sample: Sample, drawn: Sequence[DrawnItem]) -> None:
    for start in range(0, len(drawn), BATCH):
        batch = drawn[start : start + BATCH]
        ids = [item.item_id for item in batch]
        rows = dict(Item.objects.filter(study=sample.study, item_id__in=ids).values_list("item_id", "pk"))
        Draw.objects.bulk_create(
            Draw(
                sample=sample,
                item_id=rows[item.item_id],
                position=position,
                post_probability=item.post_probability,
                reply_probability=item.reply_probability,
                inclusion_probability=item.inclusion_probability,
            )
            for position, item in enumerate(batch, start=start)
        )


def delete_sample(*, sample: Sample, actor: User, now: datetime) -> None:
    """Takes along the items that no other sample holds; refused once somebody was given one to judge."""
    study, name = sample.study, sample.name
    with transaction.atomic():
        given = sample.draws.filter(item__assigned_items__isnull=False).values("item").distinct().count()
        if given:
            raise SampleError(
                f"{given:,} item{'s' if given > 1 else ''} of “{name}” {'are' if given > 1 else 'is'} in batches: "
                "the sample cannot be deleted, because judgments rest on it."
            )
        if runs := sorted(sample.labelling_runs.values_list("number", flat=True)):
            numbers = ", ".join(map(str, runs))
            raise SampleError(
                f"A model labelled “{name}” (labelling runs {numbers}): the sample cannot be deleted."
            )
        items = list(sample.draws.values_list("item_id", flat=True))
        sample.delete()
        for start in range(0, len(items), BATCH):
            Item.objects.filter(pk__in=items[start : start + BATCH], draws=None).delete()
        record_event(study=study, actor=actor, summary=f"Deleted the sample “{name}”", now=now)


def _item(study: Study, drawn: DrawnItem, texts: ItemTexts) -> Item:
    post = texts.posts[(drawn.community, drawn.post_id)]
    reply = texts.replies[(drawn.community, drawn.reply_id)] if drawn.reply_id is not None else None
    return Item(
        study=study,
        item_id=drawn.item_id,
        platform=post.platform,
        community=drawn.community,
        post_id=drawn.post_id,
        reply_id=drawn.reply_id,
        title=post.title,
        post_text=post.text,
        reply_text=reply,
    )


def _posts_of(samples: Sequence[Sample], frame: Frame) -> frozenset[PostKey]:
    """Posts of these samples that the frame holds too, whichever corpus they were drawn from."""
    import polars as pl

    if not samples:
        return frozenset()
    drawn = Item.objects.filter(draws__sample__in=samples).values_list("community", "post_id").distinct()
    by_community: dict[str, list[str]] = defaultdict(list)
    for community, post_id in drawn:
        by_community[community].append(post_id)
    return frozenset(
        (community.name, post_id)
        for community in frame.communities
        for post_id in community.posts.filter(pl.col("post_id").is_in(by_community[community.name]))[
            "post_id"
        ]
    )
