"""Calls about a model's errors: read them, sort them by tags, and see who did."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router

from annotation.release.rows import SplitPart
from backend.core.accounts.access import user_of
from backend.core.studies.access import RESEARCHER, study_of
from backend.learn.error_analysis import services
from backend.learn.error_analysis.api_shapes import CountOut, ErrorOut, ErrorsOut, MarkedOut, MarkIn, MarkOut
from backend.learn.error_analysis.page import count_rows
from backend.learn.error_analysis.selectors import errors_of, history_of, tags_of
from backend.learn.models.selectors import adapter_numbered

router = Router(auth=RESEARCHER)


@router.get("{int:number}/errors", response=ErrorsOut)
def list_errors(
    request: HttpRequest, number: int, part: SplitPart = SplitPart.VALIDATION, words: bool = False
) -> ErrorsOut:
    """Where the model and its release differ. Ask for the test part only once all choices are made."""
    adapter = adapter_numbered(study_of(request), number)
    found, tags = errors_of(adapter, part, user_of(request)), tags_of(adapter)
    return ErrorsOut(
        part=part,
        counts=[CountOut.of(row) for row in count_rows(found, tags)],
        errors=[ErrorOut.of(error, tags, with_words=words) for error in found.all()],
    )


@router.post("{int:number}/errors/tags", response=MarkedOut)
def tag_error(request: HttpRequest, number: int, body: MarkIn) -> MarkedOut:
    """The tag “annotation-error” sends the item to adjudication; taking it off withdraws it, if nobody has decided."""
    adapter = adapter_numbered(study_of(request), number)
    actor, now, asked = user_of(request), timezone.now(), None
    if body.put:
        asked = services.put_tag(
            errors=errors_of(adapter, body.part, user_of(request)),
            item_id=body.item_id,
            code=body.code,
            tag=body.tag,
            actor=actor,
            now=now,
        )
    else:
        services.take_tag(
            adapter=adapter, item_id=body.item_id, code=body.code, tag=body.tag, actor=actor, now=now
        )
    tags = tags_of(adapter).get((body.item_id, body.code), frozenset())
    return MarkedOut(tags=sorted(tags), adjudication=asked.value if asked else None)


@router.get("{int:number}/errors/tags", response=list[MarkOut])
def list_tag_steps(request: HttpRequest, number: int) -> list[MarkOut]:
    """Every tag put on or taken off, newest first."""
    return [
        MarkOut.of(mark) for mark in history_of(adapter_numbered(study_of(request), number), user_of(request))
    ]
