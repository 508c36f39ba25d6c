"""What Label Studio's log may say: no texts, of which it writes down whole items, and no alarm about a lost webhook."""

import logging

from requests import RequestException
from rest_framework.exceptions import APIException

_REPEATS_ITEMS = "tasks.serializers"


class WithoutTexts(logging.Filter):
    """Drops what is said about requests that were refused; who sent them has the answer."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.endswith(_REPEATS_ITEMS):
            return False
        problem = record.exc_info[1] if record.exc_info else None
        return not (isinstance(problem, APIException) and problem.status_code < 500)


class LostWebhooks(logging.Filter):
    """One line in place of a trace: Attune finds by itself what a webhook would have told it a little sooner."""

    def filter(self, record: logging.LogRecord) -> bool:
        problem = record.exc_info[1] if record.exc_info else None
        if isinstance(problem, RequestException):
            record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
            record.msg, record.args = "A webhook did not arrive (%s).", (type(problem).__name__,)
            record.exc_info = record.exc_text = None
        return True
