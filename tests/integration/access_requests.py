"""Requests with nothing wrong about them: by the app's own rules, with somebody's ids in every place that has one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from tests.integration.access_people import RESULT, Work
from tests.integration.access_walk import filled

# Rules without a project behind them
OWN_AFFAIRS = {"logout", "current-user-whoami", "version"}


@dataclass(frozen=True)
class CleanRequest:
    """A rule of the access app's with an address that it is for."""

    method: str
    view: str
    address: str
    query: tuple[str, ...]
    must_say: tuple[str, str] | None
    body: tuple[str, ...] | None

    def send(self, person: httpx.Client, parts: Mapping[str, Work]) -> httpx.Response:
        """Each part of it with the ids of whom the mapping names for it."""
        answer = person.request(
            self.method,
            filled(self.address, parts["path"]),
            params={name: self._value(name, parts) for name in self.query},
            json=None if self.body is None else self._content(parts["body"]),
        )
        person.cookies.clear()
        return answer

    def parts(self) -> list[str]:
        """Where this request can name somebody's work."""
        has = {
            "path": "{" in self.address.replace("{format}", ""),
            "project": "project" in self.query,
            "taskID": "taskID" in self.query,
        }
        return [part for part, is_there in (has | {"body": self.body is not None}).items() if is_there]

    def _value(self, name: str, parts: Mapping[str, Work]) -> str | int:
        if self.must_say and name == self.must_say[0]:
            return self.must_say[1]
        work = parts["taskID"]
        known: dict[str, str | int] = {
            "project": parts["project"].project,
            "taskID": work.tasks[1] if "drafts:" in self.view else work.tasks[0],
            "annotationID": work.annotation,
            "draftID": work.draft,
            "annotations_stub": "true",
        }
        # The rest are numbers, like the page and the tab, or words that nothing here depends on.
        return known.get(name, 1)

    def _content(self, work: Work) -> dict[str, Any]:
        project = {"project": work.project}
        return {**project, "result": RESULT} if "result" in (self.body or ()) else project


def clean_requests(rules: list[dict[str, Any]]) -> Iterator[CleanRequest]:
    for rule in rules:
        # A page's query is never looked at; without this word it would lead on to itself.
        query = ["labeling"] if rule["query"] is None else rule["query"]
        must_say = tuple(rule["must_say"]) if rule["must_say"] else None
        body = None if rule["body"] is None else tuple(rule["body"])
        for address in rule["addresses"]:
            yield CleanRequest(rule["method"], rule["view"], address, tuple(query), must_say, body)


def everywhere(work: Work) -> dict[str, Work]:
    return dict.fromkeys(("path", "project", "taskID", "body"), work)
