"""What stands around the database: broker, servers, disk, backups, and a restore that did not end."""

from __future__ import annotations

import shutil
from datetime import datetime
from pathlib import Path
from typing import Any

from celery import Celery
from django.conf import settings
from kombu.exceptions import ChannelError, OperationalError

from backend.annotate.label_studio.client import connect
from backend.annotate.label_studio.errors import LabelStudioError
from backend.annotate.label_studio.server import LabelStudioServer
from backend.annotate.sync.projects import unknown_projects
from backend.celery import app
from backend.core.web.formats import duration, filesize
from backend.operate.backups.places import backups_in, made_at
from backend.operate.instance.half_restored import is_half_restored
from backend.operate.launch.health import answers
from backend.operate.monitoring.findings import Finding, Level, Limits

PATIENCE_SECONDS = 3
ALMOST_FULL = 5
NAMED = 5


def surrounding_findings(limits: Limits, *, backups: Path | None, now: datetime) -> list[Finding]:
    found = [
        broker_finding(limits, app),
        label_studio := label_studio_finding(),
        ml_server_finding(),
        disk_finding(limits, Path(settings.DATA_DIR)),
    ]
    if label_studio.level is Level.OK:
        found.append(left_projects_finding(connect()))
    if backups is not None:
        found.append(backups_finding(limits, backups, now=now))
    if is_half_restored():
        says = "a restore did not come to its end: run it again"
        found.append(Finding("restore", Level.CRITICAL, says))
    return found


def broker_finding(limits: Limits, broker: Celery) -> Finding:
    queues = (settings.JOB_QUEUE, settings.SYNC_QUEUE, settings.ML_QUEUE)
    try:
        with broker.connection_for_read(connect_timeout=PATIENCE_SECONDS) as connection:
            connection.ensure_connection(max_retries=1, timeout=PATIENCE_SECONDS)
            waiting = {queue: _messages(connection.default_channel, queue) for queue in queues}
    except (OperationalError, OSError) as error:
        says = f"it cannot be reached ({type(error).__name__}): jobs wait until it is back"
        return Finding("broker", Level.CRITICAL, says)
    says = ", ".join(f"{count} messages for {queue}" for queue, count in waiting.items())
    if max(waiting.values()) > limits.messages_wait:
        return Finding("broker", Level.WARNING, f"{says}: nobody takes them, see that the workers run")
    return Finding("broker", Level.OK, says)


def _messages(channel: Any, queue: str) -> int:
    """A queue without messages is none at all in Redis."""
    try:
        return int(channel.queue_declare(queue=queue, passive=True).message_count)
    except ChannelError:
        return 0


def label_studio_finding() -> Finding:
    address = settings.LABEL_STUDIO_INSIDE_URL or settings.LABEL_STUDIO_URL
    if answers(f"{address}/health"):
        return Finding("label-studio", Level.OK, "answers")
    return Finding("label-studio", Level.CRITICAL, "it does not answer: annotators cannot work, see its log")


def left_projects_finding(server: LabelStudioServer) -> Finding:
    """Projects of Attune's making whose answers nobody reads: of a newer Attune than the one that was restored."""
    try:
        left = unknown_projects(server)
    except LabelStudioError as error:
        return Finding("label-studio-projects", Level.WARNING, f"they cannot be listed: {error}")
    if not left:
        return Finding("label-studio-projects", Level.OK, "each one that Attune made belongs to a batch here")
    work = sum(seen.annotations + seen.skipped for seen in left)
    named = ", ".join(str(seen.id) for seen in left[:NAMED]) + (" …" if len(left) > NAMED else "")
    says = (
        f"{len(left)} that Attune made belong to no batch here, and {work} answers in them are not read "
        f"(projects {named}): restore the Attune that they belong to, or export and delete them in Label Studio"
    )
    return Finding("label-studio-projects", Level.WARNING, says)


def ml_server_finding() -> Finding:
    """Whoever gave no password wants none of it: production asks for no such server."""
    if not settings.ML_SERVER_PASSWORD:
        return Finding(
            "ml-server", Level.OK, "feedback is not set up: ATTUNE_ML_SERVER_PASSWORD is not given"
        )
    if answers(f"{settings.ML_SERVER_URL}/health"):
        return Finding("ml-server", Level.OK, "answers")
    says = f"it does not answer at {settings.ML_SERVER_URL}: nobody gets feedback, see that it runs"
    return Finding("ml-server", Level.WARNING, says)


def disk_finding(limits: Limits, folder: Path) -> Finding:
    usage = shutil.disk_usage(folder)
    says = f"{filesize(usage.free)} free of {filesize(usage.total)} in {folder}"
    if usage.free < limits.free_bytes / ALMOST_FULL:
        return Finding("disk", Level.CRITICAL, f"{says}: make room now, or writing fails")
    if usage.free < limits.free_bytes:
        return Finding("disk", Level.WARNING, f"{says}: make room soon")
    return Finding("disk", Level.OK, says)


def backups_finding(limits: Limits, folder: Path, *, now: datetime) -> Finding:
    there = backups_in(folder)
    if not there:
        return Finding("backups", Level.CRITICAL, f"there is none in {folder}: run back_up")
    age = now - made_at(there[0])
    says = f"{len(there)} in {folder}, the newest {duration(age)} old"
    if age > limits.backup_age:
        return Finding("backups", Level.WARNING, f"{says}: see why none was made since")
    return Finding("backups", Level.OK, says)
