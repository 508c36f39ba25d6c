"""Which people and which items of a study a batch can be made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import Count, Q, QuerySet

from backend.annotate.batches.models import AssignedItem, BatchKind
from backend.core.accounts.models import AccountRole, User
from backend.core.studies.access import role_in
from backend.core.studies.models import ANNOTATING, Study, StudyRole
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import asks_about_posts, latest_edition
from backend.design.samples.models import Item, Sample

FIRST_TIME_KINDS = (
    BatchKind.PRACTICE,
    BatchKind.OVERLAP,
    BatchKind.ADAPTIVE,
    BatchKind.MAIN,
    BatchKind.ACTIVE,
)
RECHECKED_KINDS = (BatchKind.OVERLAP, BatchKind.ADAPTIVE, BatchKind.MAIN)
MET_AGAIN_KINDS = (BatchKind.RECHECK, BatchKind.PRACTICE)


def annotators_of(study: Study) -> QuerySet[User]:
    """Who can be given items; who also researches is blind to what they still have to judge (`blindness`)."""
    as_annotator = Q(memberships__role__in=ANNOTATING) | Q(role=AccountRole.ANNOTATOR)
    return User.objects.filter(as_annotator, memberships__study=study, is_active=True).order_by("username")


def researching(people: Iterable[User], study: Study) -> list[User]:
    """Those who may read what others answered on anything that they do not still have to judge."""
    return [user for user in people if role_in(user, study) == StudyRole.RESEARCHER]


def is_annotator(user: User, study: Study) -> bool:
    """Whether this person can be given items now; somebody who was made a researcher alone cannot."""
    return annotators_of(study).filter(pk=user.pk).exists()


def used_items(study: Study) -> QuerySet[AssignedItem]:
    """Whatever somebody was given to judge for the first time, even if it was taken back since."""
    return AssignedItem.objects.filter(
        assignment__batch__study=study, assignment__batch__kind__in=FIRST_TIME_KINDS
    )


def golden_items(study: Study, edition: Edition | None = None) -> QuerySet[Item]:
    """Items with gold under this edition, or any: feedback tells what is right there, so they are for practice alone.

    In an order that does not depend on when their gold was written.
    """
    standing = Item.objects.filter(study=study, gold_answers__replaced_at=None, gold_answers__isnull=False)
    if edition is not None:
        standing = standing.filter(gold_answers__edition=edition)
    return study.items.filter(pk__in=standing.values("pk")).order_by("item_id")


def fresh_items(study: Study, samples: Sequence[Sample]) -> QuerySet[Item]:
    """Items of these samples that no batch has had and that have no gold; one may come once for each sample."""
    return (
        study.items.filter(draws__sample__in=samples)
        .exclude(pk__in=used_items(study).values("item"))
        .exclude(pk__in=golden_items(study).values("pk"))
    )


def fresh_counts(study: Study) -> dict[str, int]:
    """How many items of each sample could be dealt under the newest edition, by the sample's name."""
    used, golden = used_items(study).values("item"), golden_items(study).values("pk")
    is_fresh = ~Q(draws__item__in=used) & ~Q(draws__item__in=golden)
    edition = latest_edition(study)
    if edition is not None and not asks_about_posts(edition):
        is_fresh &= Q(draws__item__reply_text__isnull=False)
    fresh = Count("draws", filter=is_fresh)
    return dict(study.samples.order_by("-created_at").annotate(fresh=fresh).values_list("name", "fresh"))


def own_submitted_items(
    edition: Edition, annotators: Sequence[User], submitted_before: datetime
) -> dict[str, list[str]]:
    """By log-in name: what each judged under this edition in overlap and main batches, and heard nothing of since.

    Whoever was asked again, practised on an item, or talked or read about it would not judge it afresh.
    """
    study = edition.study
    own: dict[str, set[str]] = {annotator.username: set() for annotator in annotators}
    given = AssignedItem.objects.filter(
        assignment__batch__study=study, assignment__annotator__in=annotators
    ).values_list("assignment__annotator__username", "item__item_id")
    submitted = given.filter(
        assignment__batch__kind__in=RECHECKED_KINDS,
        submission__state="submitted",
        submission__submitted_at__lte=submitted_before,
        assignment__batch__edition=edition,
    )
    shared = AssignedItem.objects.filter(assignment__batch__study=study, discussion__shared_at__isnull=False)
    for username, item in submitted.exclude(item__in=shared.values("item")):
        own[username].add(item)
    met_again = Q(assignment__batch__kind__in=MET_AGAIN_KINDS) | Q(discussion__isnull=False)
    for username, item in given.filter(met_again):
        own[username].discard(item)
    return {username: sorted(items) for username, items in own.items()}
