"""Takes Label Studio's webhooks that something was submitted: checked, passed on and answered without the database."""

from __future__ import annotations

import hmac
import logging
from concurrent.futures import ThreadPoolExecutor

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from kombu.exceptions import OperationalError

from backend.annotate.label_studio.keys import WEBHOOK_HEADER, webhook_secret
from backend.celery import app

logger = logging.getLogger(__name__)
TAKE_WEBHOOK = "sync.take_webhook"
MOST_BYTES = 10_000
# A broker that does not answer keeps this thread waiting, and no annotator.
messenger = ThreadPoolExecutor(max_workers=1, thread_name_prefix="webhooks")


@csrf_exempt
@login_not_required
@require_POST
def receive(request: HttpRequest, marker: str) -> HttpResponse:
    """The annotator's own submit waits for this answer. A call that is lost costs seconds: polling finds it."""
    # Label Studio sends one short line. Nobody here reads it, so nobody has to take more.
    if "Transfer-Encoding" in request.headers:
        return HttpResponse(status=411)
    if int(request.headers.get("Content-Length") or 0) > MOST_BYTES:
        return HttpResponse(status=413)
    given = request.headers.get(WEBHOOK_HEADER, "")
    if not hmac.compare_digest(given.encode(), webhook_secret(settings.LABEL_STUDIO_TOKEN).encode()):
        return HttpResponse(status=403)
    messenger.submit(_pass_on, marker, timezone.now().isoformat())
    return HttpResponse(status=204)


def _pass_on(marker: str, received_at: str) -> None:
    try:
        app.send_task(TAKE_WEBHOOK, args=[marker, received_at], retry=False)
    except (OperationalError, OSError) as problem:
        logger.warning("A webhook was dropped (%s); the next poll makes up for it.", type(problem).__name__)
