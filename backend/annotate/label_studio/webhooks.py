"""Keeps exactly one webhook of ours on a project, and tells it apart from anybody else's."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from backend.annotate.label_studio.keys import WEBHOOK_HEADER

if TYPE_CHECKING:
    from label_studio_sdk import LabelStudio

ACTIONS = ("ANNOTATION_CREATED", "ANNOTATION_UPDATED", "ANNOTATIONS_DELETED")


class WebhookSettings(TypedDict):
    """A webhook carries no payload: it is quick to send, and says no more than that something changed."""

    url: str
    headers: dict[str, str]
    actions: tuple[str, ...]
    send_for_all_actions: bool
    send_payload: bool
    is_active: bool


def ensure_one_webhook(sdk: LabelStudio, project_id: int, *, url: str, secret: str) -> None:
    wanted: WebhookSettings = {
        "url": url,
        "headers": {WEBHOOK_HEADER: secret},
        "actions": ACTIONS,
        "send_for_all_actions": False,
        "send_payload": False,
        "is_active": True,
    }
    there = sdk.webhooks.list(project=str(project_id))
    ours = sorted(hook.id or 0 for hook in there if WEBHOOK_HEADER in (hook.headers or {}))
    if ours:
        sdk.webhooks.update(ours[0], **wanted)
    else:
        sdk.webhooks.create(project=project_id, **wanted)
    for surplus in ours[1:]:
        sdk.webhooks.delete(surplus)
