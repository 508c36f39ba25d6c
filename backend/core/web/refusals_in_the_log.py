"""A refusal is an answer and no fault of the program: one line in the log, without a traceback."""

from __future__ import annotations

import logging
from http import HTTPStatus


class OneLineForRefusals(logging.Filter):
    """On the logger of requests, which tells the status of what it logs."""

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "status_code", None) == HTTPStatus.FORBIDDEN:
            record.exc_info = record.exc_text = None
        return True
