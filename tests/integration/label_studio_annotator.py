"""The annotators' side of a running Label Studio, so that one set of tests holds for it and for the one in memory."""

from __future__ import annotations

from typing import Any, Protocol

import httpx

from backend.annotate.label_studio.keys import WEBHOOK_HEADER
from tests.label_studio_rows import Result, Webhook


class Annotators(Protocol):
    """What the contract's tests do as people; both Label Studios can do it."""

    def submit(
        self,
        task_id: int,
        account_id: int,
        result: Result,
        *,
        lead_seconds: float | None = None,
        prediction_id: int | None = None,
        draft_id: int | None = None,
    ) -> int: ...

    def skip(self, task_id: int, account_id: int) -> int: ...

    def change(
        self, annotation_id: int, result: Result, *, skipped: bool = False, lead_seconds: float | None = None
    ) -> None: ...

    def delete_annotation(self, annotation_id: int) -> None: ...

    def convert_to_draft(self, annotation_id: int) -> int: ...

    def save_draft(self, task_id: int, result: Result, *, annotation_id: int | None = None) -> int: ...

    def delete_draft(self, draft_id: int) -> None: ...

    def import_prediction(self, task_id: int, result: Result) -> int: ...

    def suggested(self, task_id: int) -> Result: ...

    def delete_task(self, task_id: int) -> None: ...

    def webhooks(self, project_id: int) -> list[Webhook]: ...

    def add_webhook(self, project_id: int, webhook: Webhook) -> None: ...


class RealAnnotators:
    """Works with the owner's token and names the annotator: what the access app forbids is no part of the contract."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http

    def submit(
        self,
        task_id: int,
        account_id: int,
        result: Result,
        *,
        lead_seconds: float | None = None,
        prediction_id: int | None = None,
        draft_id: int | None = None,
    ) -> int:
        body = {"result": result, "completed_by": account_id, "lead_time": lead_seconds}
        body |= {"parent_prediction": prediction_id} if prediction_id else {}
        body |= {"draft_id": draft_id} if draft_id else {}
        return int(self._done("POST", f"/api/tasks/{task_id}/annotations/", body)["id"])

    def skip(self, task_id: int, account_id: int) -> int:
        body = {"result": [], "completed_by": account_id}
        return int(self._done("POST", f"/api/tasks/{task_id}/annotations/?was_cancelled=1", body)["id"])

    def change(
        self, annotation_id: int, result: Result, *, skipped: bool = False, lead_seconds: float | None = None
    ) -> None:
        body: dict[str, object] = {"result": result, "was_cancelled": skipped}
        body |= {"lead_time": lead_seconds} if lead_seconds is not None else {}
        self._done("PATCH", f"/api/annotations/{annotation_id}/", body)

    def delete_annotation(self, annotation_id: int) -> None:
        self._done("DELETE", f"/api/annotations/{annotation_id}/")

    def convert_to_draft(self, annotation_id: int) -> int:
        return int(self._done("POST", f"/api/annotations/{annotation_id}/convert-to-draft")["id"])

    def save_draft(self, task_id: int, result: Result, *, annotation_id: int | None = None) -> int:
        of_annotation = f"/annotations/{annotation_id}" if annotation_id is not None else ""
        body = {"result": result, "lead_time": 1}
        return int(self._done("POST", f"/api/tasks/{task_id}{of_annotation}/drafts", body)["id"])

    def delete_draft(self, draft_id: int) -> None:
        self._done("DELETE", f"/api/drafts/{draft_id}/")

    def import_prediction(self, task_id: int, result: Result) -> int:
        task = self._done("GET", f"/api/tasks/{task_id}/")
        prediction = {"task": task_id, "result": result, "model_version": "guess", "score": 0.5}
        self._done("POST", f"/api/projects/{task['project']}/import/predictions", [prediction])
        return int(self._done("GET", f"/api/tasks/{task_id}/")["predictions"][0]["id"])

    def suggested(self, task_id: int) -> Result:
        """By what the labelling page goes: the predictions of the project's model, where it shows any."""
        task = self._done("GET", f"/api/tasks/{task_id}/")
        project = self._done("GET", f"/api/projects/{task['project']}/")
        if not project["show_collab_predictions"]:
            return []
        version = project["model_version"]
        shown = [each for each in task["predictions"] if each["model_version"] == version]
        return [row for each in shown for row in each["result"]]

    def delete_task(self, task_id: int) -> None:
        self._done("DELETE", f"/api/tasks/{task_id}/")

    def webhooks(self, project_id: int) -> list[Webhook]:
        listed = self._done("GET", f"/api/webhooks/?project={project_id}")
        return [Webhook(hook["url"], hook["headers"][WEBHOOK_HEADER]) for hook in listed if hook["is_active"]]

    def add_webhook(self, project_id: int, webhook: Webhook) -> None:
        body = {"project": project_id, "url": webhook.url, "headers": {WEBHOOK_HEADER: webhook.secret}}
        self._done("POST", "/api/webhooks/", body)

    def _done(self, method: str, path: str, body: object = None) -> Any:
        reply = self._http.request(method, path, json=body)
        reply.raise_for_status()
        return reply.json() if reply.content else None
