"""Asks Label Studio to tell when something changes. It may refuse: what annotators do is then read by polling alone."""

from __future__ import annotations

import logging

from django.conf import settings
from django.urls import reverse

from backend.annotate.label_studio.errors import LabelStudioRefused, LabelStudioUnreachable, ProjectGone
from backend.annotate.label_studio.keys import webhook_secret
from backend.annotate.label_studio.server import LabelStudioServer
from backend.annotate.sync.models import Project

logger = logging.getLogger(__name__)


def ask_for_webhooks(project: Project, number: int, server: LabelStudioServer) -> None:
    address = settings.PUBLIC_URL + reverse("sync:webhook", args=[project.marker])
    secret = webhook_secret(settings.LABEL_STUDIO_TOKEN)
    try:
        server.ensure_webhook(number, url=address, secret=secret)
    except ProjectGone:
        raise
    except (LabelStudioRefused, LabelStudioUnreachable) as problem:
        # An address that it may not call gets a clear no; one that it cannot look up, a broken answer.
        if problem.status is None:
            raise
        logger.warning("Label Studio gives no webhooks for %s: %s", project.marker, problem)
        project.has_webhooks = False
    else:
        project.has_webhooks = True
    project.save(update_fields=["has_webhooks"])
