"""What draws a sample from a corpus into the database."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from django.db import transaction

from backend.accounts.models import User
from backend.corpora.models import Corpus
from backend.samples.models import Draw, Item, Sample
from backend.samples.texts import ItemTexts, texts_of
from backend.studies.models import Study
from backend.studies.services import record_event
from corpus.sampling.design_json import design_to_json
from corpus.sampling.designs import Design
from corpus.sampling.draw import draw_sample
from corpus.sampling.frame import PostKey, build_frame
from corpus.sampling.sample import DrawnItem
from corpus.sampling.sample import Sample as DrawnSample

BATCH = 2000


class SampleError(Exception):
    """A sample that cannot be drawn; the message says why."""


def refuse_taken_name(study: Study, name: str) -> None:
    if study.samples.filter(name=name).exists():
        raise SampleError(f"This study already has a sample named “{name}”: choose another name.")


def preview_sample(
    *, corpus: Corpus, design: Design, seed: int, disjoint_from: Sequence[Sample]
) -> DrawnSample:
    """The very sample that `draw_into_study` would store, without storing it."""
    frame = build_frame(corpus.store.scan_posts(), corpus.store.scan_replies())
    excluded = _posts_in(disjoint_from, frame_corpus=corpus)
    return draw_sample(frame, replace(design, exclude=design.exclude | excluded), seed=seed)


def draw_into_study(
    *,
    corpus: Corpus,
    name: str,
    design: Design,
    seed: int,
    disjoint_from: Sequence[Sample],
    actor: User,
    now: datetime,
    report: Callable[[int, int], None],
) -> Sample:
    """Stored whole or not at all, and once: drawing the same again gives back the sample that is there.

    `report(done, total)` follows the items.
    """
    study = corpus.study
    earlier = Sample.objects.filter(study=study, name=name).first()
    if earlier and (earlier.corpus_id, earlier.design, earlier.seed) == (
        corpus.pk,
        design_to_json(design),
        seed,
    ):
        return earlier
    refuse_taken_name(study, name)
    drawn = preview_sample(corpus=corpus, design=design, seed=seed, disjoint_from=disjoint_from)
    texts = texts_of(corpus.store, drawn.items)
    with transaction.atomic():
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
        for start in range(0, len(drawn.items), BATCH):
            _store(sample, drawn.items[start : start + BATCH], start, texts)
            report(min(start + BATCH, len(drawn.items)), len(drawn.items))
        record_event(
            study=study, actor=actor, summary=f"Drew sample “{name}” with {len(drawn.items)} items", now=now
        )
    return sample


def _store(sample: Sample, drawn: Sequence[DrawnItem], start: int, texts: ItemTexts) -> None:
    """An item drawn before keeps its row, and so its text and all judgments on it."""
    Item.objects.bulk_create(
        [_item(sample.study, item, texts) for item in drawn], ignore_conflicts=True, batch_size=500
    )
    ids = [item.item_id for item in drawn]
    rows = dict(Item.objects.filter(study=sample.study, item_id__in=ids).values_list("item_id", "pk"))
    Draw.objects.bulk_create(
        [
            Draw(
                sample=sample,
                item_id=rows[item.item_id],
                position=start + offset,
                post_probability=item.post_probability,
                reply_probability=item.reply_probability,
                inclusion_probability=item.inclusion_probability,
            )
            for offset, item in enumerate(drawn)
        ],
        batch_size=500,
    )


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


def _posts_in(samples: Sequence[Sample], *, frame_corpus: Corpus) -> frozenset[PostKey]:
    """Only samples of the same corpus can overlap with this one."""
    related = [sample.pk for sample in samples if sample.corpus_id == frame_corpus.pk]
    posts = Item.objects.filter(draws__sample__in=related).values_list("community", "post_id").distinct()
    return frozenset(posts)
