"""Keeps texts out of the log: Label Studio writes down whole items when it refuses a request."""

import logging

from rest_framework.exceptions import APIException

_REPEATS_ITEMS = "tasks.serializers"


class WithoutTexts(logging.Filter):
    """Drops what is said about requests that were refused; who sent them has the answer."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.endswith(_REPEATS_ITEMS):
            return False
        problem = record.exc_info[1] if record.exc_info else None
        return not (isinstance(problem, APIException) and problem.status_code < 500)
