"""`python -m ml_backend train|evaluate|predict|order|label|…`: files in, files out, progress on stderr."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

ORDER, LABEL = "order", "label"
STOPS = (signal.SIGINT, signal.SIGTERM)
OUR_ROOMS = ("annotation", "codebook", "corpus", "learning", "ml_backend")


def main(argv: Sequence[str]) -> int:
    """Our own errors say what to do and are shown alone; any other is a fault of ours and shows where."""
    prepare_environment()
    if argv[:1] == [ORDER]:
        # Whoever waits for an order looks for its lock: it is taken before anything large is loaded
        from ml_backend.worker.arguments import order_parser
        from ml_backend.worker.process import order

        return order(order_parser().parse_args(argv[1:]))
    if argv[:1] == [LABEL]:
        from ml_backend.labelling.arguments import label_parser
        from ml_backend.labelling.process import label

        return label(label_parser().parse_args(argv[1:]))
    from ml_backend.arguments import parser

    options = parser().parse_args(argv)
    # Only now, because the libraries behind take seconds to load and read the environment when they do
    from ml_backend import commands

    run = {
        "train": commands.train,
        "evaluate": commands.evaluate,
        "predict": commands.predict,
        "simulate_active_learning": commands.simulate,
    }
    try:
        with stopping_cleanly():
            run[options.command](options, say)
    except (Exception, KeyboardInterrupt) as problem:
        if isinstance(problem, KeyboardInterrupt):
            say("Stopped. Nothing was kept.")
            return 130
        is_ours = type(problem).__module__.partition(".")[0] in OUR_ROOMS
        if not is_ours and not isinstance(problem, OSError):
            raise
        say(f"{options.command}: {problem}")
        return 1
    return 0


@contextmanager
def stopping_cleanly() -> Iterator[None]:
    """The first signal to stop ends the work as Ctrl-C does, so that nothing half done is left; more change nothing."""

    def stop(*_: object) -> None:
        for each in STOPS:
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt

    earlier = {each: signal.signal(each, stop) for each in STOPS}
    try:
        yield
    finally:
        for each, handler in earlier.items():
            signal.signal(each, handler)


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def prepare_environment() -> None:
    """Threads that wait must not burn the core that another process needs; nothing is told to anybody outside."""
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    # What is under way is told by our own lines.
    os.environ.setdefault("TQDM_DISABLE", "1")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
