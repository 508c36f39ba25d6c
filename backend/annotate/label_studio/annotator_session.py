"""An annotator's browser without the browser: signs in and submits as Label Studio's page does."""

from __future__ import annotations

from types import TracebackType

import httpx

CSRF_COOKIE = "label_studio_csrf"


class AnnotatorSession:
    """A submit that returns was acknowledged; everything else raises httpx.HTTPError."""

    def __init__(self, sign_in_url: str) -> None:
        parts = httpx.URL(sign_in_url)
        self._http = httpx.Client(
            base_url=f"{parts.scheme}://{parts.netloc.decode()}", trust_env=False, timeout=30
        )
        try:
            self._http.get(sign_in_url, follow_redirects=True).raise_for_status()
        except httpx.HTTPError:
            self.close()
            raise

    def __enter__(self) -> AnnotatorSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def submit(
        self, project_id: int, task_id: int, result: list[dict[str, object]], *, seconds: float = 20
    ) -> int:
        body = {"result": result, "lead_time": seconds, "project": project_id}
        return int(self._ask("POST", f"/api/tasks/{task_id}/annotations/?project={project_id}", body)["id"])

    def change(self, project_id: int, annotation_id: int, result: list[dict[str, object]]) -> None:
        self._ask("PATCH", f"/api/annotations/{annotation_id}/?project={project_id}", {"result": result})

    def next_task(self, project_id: int) -> int:
        return int(self._ask("POST", f"/api/dm/actions/?id=next_task&project={project_id}", {})["id"])

    def _ask(self, method: str, path: str, body: object = None) -> dict[str, int]:
        headers = {"X-CSRFToken": self._http.cookies.get(CSRF_COOKIE) or ""}
        reply = self._http.request(method, path, json=body, headers=headers)
        reply.raise_for_status()
        answer: dict[str, int] = reply.json()
        return answer
