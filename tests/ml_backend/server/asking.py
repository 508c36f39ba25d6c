"""Asks the server as Label Studio does, without a network between."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from annotation.label_studio.config import label_config
from annotation.label_studio.task_data import task_data
from codebook.schema import Codebook
from learning.adapters.folder import read_card
from learning.adapters.in_service import InService, write_in_service
from ml_backend.examples import Example
from ml_backend.server.application import Application

PASSWORD = "a-password-for-tests"
STUDY = "kind-words"


@dataclass(frozen=True)
class Reply:
    status: int
    line: str
    body: Any


def ask(
    application: Application,
    method: str,
    path: str,
    body: object = None,
    *,
    user: str = "attune",
    password: str | None = PASSWORD,
    raw: bytes | None = None,
) -> Reply:
    content = msgspec.json.encode(body) if raw is None else raw
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "CONTENT_LENGTH": str(len(content)),
        "wsgi.input": io.BytesIO(content),
    }
    if password is not None:
        credentials = base64.b64encode(f"{user}:{password}".encode()).decode()
        environ["HTTP_AUTHORIZATION"] = f"Basic {credentials}"
    said: list[str] = []

    def start_response(line: str, headers: list[tuple[str, str]]) -> None:
        said.append(line)

    content = b"".join(application(environ, start_response))
    status, _, line = said[0].partition(" ")
    return Reply(int(status), line, msgspec.json.decode(content))


def put_in_service(adapters: Path, folder: Path | None, *, study: str = STUDY, number: int = 1) -> None:
    """As Attune does it when an adapter enters service, or leaves it."""
    entry = None
    if folder is not None:
        card = read_card(folder)
        entry = InService(
            adapter_id=card.id,
            folder=str(folder),
            edition_hash=card.release.edition_hash,
            study_slug=study,
            since="2026-03-01T12:00:00+00:00",
        )
    write_in_service(adapters / f"{number}-{study}", entry)


def predict_body(codebook: Codebook, examples: Iterable[Example]) -> dict[str, object]:
    tasks = [
        {"id": number, "data": task_data(each.text), "meta": {}}
        for number, each in enumerate(examples, start=1)
    ]
    return {
        "tasks": tasks,
        "project": "12.1794786362",
        "label_config": label_config(codebook),
        "params": {"login": None, "password": None, "context": None},
    }


def setup_body(codebook: Codebook) -> dict[str, object]:
    return {
        "project": "12.1794786362",
        "schema": label_config(codebook),
        "hostname": "http://127.0.0.1:8080",
        "access_token": "the-owners-token-that-nobody-may-log",
        "extra_params": None,
    }
