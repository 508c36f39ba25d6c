"""Keeps a library from asking, at every start, for a package that nobody here needs.

bitsandbytes is loaded by peft wherever it is installed, whether or not anybody wants four bits, and on some processors
it then says that a package with faster kernels is missing. Everything else that it has to say is heard.
"""

from __future__ import annotations

import logging

LOGGER, ASKS_FOR = "bitsandbytes.backends.cpu.ops", "kernels-community"


def _is_needed(record: logging.LogRecord) -> bool:
    return ASKS_FOR not in str(record.msg)


def hush() -> None:
    """Again changes nothing."""
    logging.getLogger(LOGGER).addFilter(_is_needed)
