"""A study whose texts give their labels away, a kind of text at a time: a model knows only the kinds it has met."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from annotation.agreement.trust_rule import Bound
from annotation.answers import Answers
from backend.annotate.batches.models import Batch, BatchKind
from backend.core.accounts.models import User
from backend.design.codebooks.services import add_edition
from backend.design.samples.models import Item
from backend.learn.models.services import change_promotion_rule
from codebook.schema import Codebook
from codebook.shipped import shipped_path
from learning.promotion.rule import PromotionRule
from ml_backend.examples import Example
from tests.backend.annotate.judgments.arriving import Workspace
from tests.batch_fixtures import CastAtWork, Work
from tests.cast import NOW, Cast
from tests.ml_backend.fixtures import answers_of, example

PLAIN, TIRED, HOPEFUL = range(3)
_annotation_ids = count(1)


def telling_study(cast: Cast) -> CastAtWork:
    """Without an item yet, under a codebook of three codes with three levels each, which require no words."""
    path = shipped_path("epitome")
    add_edition(
        study=cast.study,
        source=path.read_text().replace("evidence: required", "evidence: optional"),
        file_name=path.name,
        note="First",
        actor=cast.rosa,
        now=NOW,
    )
    # So few test items show no gain clearly
    rule = PromotionRule(bound=Bound.VALUE)
    change_promotion_rule(study=cast.study, rule=rule, actor=cast.rosa, now=NOW)
    given = Work.of(cast.study, cast.rosa, [])
    return CastAtWork(given.study, given.researcher, given.edition, given.items, cast)


def telling_items(work: CastAtWork, n: int, *kinds: int) -> list[Item]:
    """Each kind in turn, each item of a post of its own; never the same twice."""
    taken = work.study.items.count()
    numbers = [3 * (taken + place) + kinds[place % len(kinds)] for place in range(n)]
    return Item.objects.bulk_create(_item(work, example(work.codebook, number)) for number in numbers)


def _item(work: CastAtWork, each: Example) -> Item:
    return Item(
        study=work.study,
        item_id=each.item_id,
        platform="reddit",
        community="lane",
        post_id=f"p-{each.item_id}",
        reply_id=f"r-{each.item_id}",
        title=each.text.title,
        post_text=each.text.post,
        reply_text=each.text.reply,
    )


def true_answers(codebook: Codebook, item: Item) -> Answers:
    number = int(item.item_id.removeprefix("item-"))
    return answers_of(codebook, example(codebook, number))


def judged_batch(
    work: CastAtWork, name: str, items: Sequence[Item], *annotators: User, kind: BatchKind = BatchKind.MAIN
) -> Batch:
    """All of them say what is true."""
    batch = work.batch(*annotators, items=items, name=name, kind=kind)
    for share in batch.assignments.select_related("annotator"):
        workspace = Workspace(work, share)
        places = share.assigned_items.select_related("item").order_by("position")
        workspace.receive(
            *(
                workspace.arrival(
                    next(_annotation_ids), true_answers(work.codebook, place.item), position=place.position
                )
                for place in places
            )
        )
    return batch
