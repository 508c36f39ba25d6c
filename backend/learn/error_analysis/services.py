"""What puts tags on a model's errors and takes them off; “annotation error” asks for adjudication."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from analysis.error_analysis import ModelError
from analysis.error_tags import ErrorTag
from backend.core.accounts.models import User
from backend.decide.adjudication.doubting import Asked, ask_for_another_look, withdraw_the_ask
from backend.design.samples.models import Item
from backend.learn.error_analysis.errors import NoSuchError, NothingToUndo, NotInStudy, StepElsewhere
from backend.learn.error_analysis.models import ErrorMark
from backend.learn.error_analysis.selectors import Errors, history_of, latest_marks
from backend.learn.models.models import Adapter


def put_tag(
    *, errors: Errors, item_id: str, code: str, tag: ErrorTag, actor: User, now: datetime
) -> Asked | None:
    """Says what became of the item if the tag asks for adjudication. A tag that stands already stays as it is."""
    error = _error_on(errors, item_id, code)
    item = _item(errors.adapter, item_id)
    with transaction.atomic():
        _add_step(errors.adapter, item, code, tag, True, actor, now)
        if tag.asks_for_adjudication:
            return _ask(errors, item, error, actor, now)
    return None


def take_tag(*, adapter: Adapter, item_id: str, code: str, tag: ErrorTag, actor: User, now: datetime) -> bool:
    """Whether the item left the queue of adjudication with it."""
    item = _item(adapter, item_id)
    with transaction.atomic():
        _add_step(adapter, item, code, tag, False, actor, now)
        return tag.asks_for_adjudication and _withdraw(item, code, now)


def undo_last(*, errors: Errors, actor: User, now: datetime) -> ErrorMark:
    """Takes back the actor's own latest step, by a step of its own; not if somebody changed that tag since."""
    last = history_of(errors.adapter).filter(author=actor).first()
    if last is None or not latest_marks(errors.adapter).filter(pk=last.pk).exists():
        raise NothingToUndo
    item_id, code, tag = last.item.item_id, last.code, last.error_tag
    if last.is_put:
        take_tag(adapter=errors.adapter, item_id=item_id, code=code, tag=tag, actor=actor, now=now)
        return last
    if errors.error_on(item_id, code) is None:
        raise StepElsewhere(errors.part.value)
    put_tag(errors=errors, item_id=item_id, code=code, tag=tag, actor=actor, now=now)
    return last


def _error_on(errors: Errors, item_id: str, code: str) -> ModelError:
    error = errors.error_on(item_id, code)
    if error is None:
        raise NoSuchError
    return error


def _item(adapter: Adapter, item_id: str) -> Item:
    item = adapter.study.items.filter(item_id=item_id).first()
    if item is None:
        raise NotInStudy(item_id)
    return item


def _add_step(
    adapter: Adapter, item: Item, code: str, tag: ErrorTag, is_put: bool, actor: User, now: datetime
) -> None:
    # Two who tag the same item at once come one after the other
    Item.objects.select_for_update(no_key=True).get(pk=item.pk)
    last = latest_marks(adapter).filter(item=item, code=code, tag=tag).first()
    if (last is not None and last.is_put) is is_put:
        return
    ErrorMark.objects.create(
        adapter=adapter,
        release=adapter.release,
        item=item,
        code=code,
        tag=tag,
        is_put=is_put,
        author=actor,
        made_at=now,
    )


def _ask(errors: Errors, item: Item, error: ModelError, actor: User, now: datetime) -> Asked:
    return ask_for_another_look(
        item=item,
        code=error.code,
        label=error.gold_value,
        model_says=error.model_value,
        model=errors.adapter.name,
        actor=actor,
        now=now,
    )


def _withdraw(item: Item, code: str, now: datetime) -> bool:
    """Unless the same tag still stands on the same label for another model's sake."""
    marks = ErrorMark.objects.filter(item=item, code=code, tag=ErrorTag.ANNOTATION_ERROR)
    for adapter in Adapter.objects.filter(pk__in=marks.values("adapter")):
        if latest_marks(adapter).filter(item=item, code=code, tag=ErrorTag.ANNOTATION_ERROR, is_put=True):
            return False
    return withdraw_the_ask(item=item, code=code, now=now)
