"""Keeps exactly one webhook of ours on a project, and tells it apart from anybody else's."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from label_studio_sdk import LabelStudio

# How Attune knows a hint is one, and its own webhooks again
SECRET_HEADER = "X-Attune-Hint"
ACTIONS = ("ANNOTATION_CREATED", "ANNOTATION_UPDATED", "ANNOTATIONS_DELETED")


def ensure_one_webhook(sdk: LabelStudio, project_id: int, *, url: str, secret: str) -> None:
    headers = {SECRET_HEADER: secret}
    there = sdk.webhooks.list(project=str(project_id))
    ours = sorted(hook.id or 0 for hook in there if SECRET_HEADER in (hook.headers or {}))
    if ours:
        _rewrite(sdk, ours[0], url, headers)
    else:
        # A hint carries no payload: it is quick to send, and says no more than that something changed.
        sdk.webhooks.create(
            project=project_id,
            url=url,
            headers=headers,
            actions=ACTIONS,
            send_for_all_actions=False,
            send_payload=False,
            is_active=True,
        )
    for surplus in ours[1:]:
        sdk.webhooks.delete(surplus)


def _rewrite(sdk: LabelStudio, webhook_id: int, url: str, headers: dict[str, str]) -> None:
    sdk.webhooks.update(
        webhook_id,
        url=url,
        headers=headers,
        actions=ACTIONS,
        send_for_all_actions=False,
        send_payload=False,
        is_active=True,
    )
