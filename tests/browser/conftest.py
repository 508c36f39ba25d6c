"""Attune in a browser: a live server, a person who is logged in, and a console that must stay silent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from backend.core.accounts.models import User
from backend.core.jobs.models import Job, JobState
from backend.core.jobs.runner import run_job

Visit = Callable[[User], Page]


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, settings: Settings) -> None:
    settings.CORPORA_DIR = tmp_path / "corpora"
    settings.FILES_DIR = tmp_path / "files"


@pytest.fixture
def logged_in(page: Page, live_server: LiveServer, transactional_db: None) -> Iterator[Visit]:
    """Opens Attune's home page as someone; whatever the browser complains about fails the test."""
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))

    def visit(user: User) -> Page:
        client = Client()
        client.force_login(user)
        cookie = client.cookies["attune_session"]
        page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": live_server.url}])
        page.goto(live_server.url)
        return page

    yield visit
    assert complaints == []


def run_waiting_jobs() -> None:
    """Does a worker's work, so that a test decides when it happens."""
    for job in Job.objects.filter(state=JobState.QUEUED).order_by("pk"):
        run_job(job_id=job.pk, clock=timezone.now)
