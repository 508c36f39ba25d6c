"""What is set before torch and peft are used: the number of threads, and what a library must not ask for.

bitsandbytes is loaded by peft wherever it is installed, whether or not anybody wants four bits, and on some processors
it then says, at every start, that a package with faster kernels is missing.
Everything else that it has to say is heard.
"""

from __future__ import annotations

import logging

LOGGER, ASKS_FOR = "bitsandbytes.backends.cpu.ops", "kernels-community"


def use_threads(asked: int, *, with_torch: bool) -> int:
    """The number that is used, which the cards of adapters name; 0 leaves it to torch. What computes without it has one
    thread, and torch, which takes seconds to load, is then left alone."""
    if not with_torch:
        return max(asked, 1)
    import torch

    if asked > 0:
        torch.set_num_threads(asked)
    return torch.get_num_threads()


def silence_kernel_advice() -> None:
    """Again changes nothing."""
    logging.getLogger(LOGGER).addFilter(_is_needed)


def _is_needed(record: logging.LogRecord) -> bool:
    return ASKS_FOR not in str(record.msg)
