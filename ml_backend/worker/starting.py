"""Has an order worked on in a fresh process: seen from the worker's side."""

from __future__ import annotations

import logging
from pathlib import Path

from ml_backend.children import Children
from ml_backend.worker.ends import End, name_of

logger = logging.getLogger(__name__)


def run_order(folder: Path, children: Children) -> bool:
    """Blocks until the process is over; whether it worked on the order at all."""
    code = children.run("order", str(folder))
    if code is None:
        return False
    logger.info("Order %s ended with %s.", folder.name, name_of(code))
    return code not in (End.TAKEN, End.BUSY, End.UNWANTED)
