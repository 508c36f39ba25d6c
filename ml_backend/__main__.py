"""`python -m ml_backend train|evaluate|predict|probe|task|…`: files in, files out, progress on stderr."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ml_backend.failures import is_ours

TASK = "task"
STOPS = (signal.SIGINT, signal.SIGTERM)


def main(argv: Sequence[str]) -> int:
    """Our own errors say what to do and are shown alone; any other is a fault of ours and shows where."""
    prepare_environment()
    if argv[:1] == [TASK]:
        return work_on_task(argv[1:])
    from ml_backend.arguments import parser

    options = parser().parse_args(argv)
    # Only now, because the libraries behind take seconds to load and read the environment when they do
    from ml_backend import commands

    run = {
        "train": commands.train,
        "evaluate": commands.evaluate,
        "predict": commands.predict,
        "probe": commands.probe,
        "fewest_seeds": commands.fewest_seeds,
        "simulate_active_learning": commands.simulate,
        "transfer": commands.transfer,
        "cause_table": commands.cause_table,
    }
    try:
        with stopping_cleanly():
            run[options.command](options, say)
    except (Exception, KeyboardInterrupt) as problem:
        if isinstance(problem, KeyboardInterrupt):
            say("Stopped. Nothing was kept.")
            return 130
        if not is_ours(problem) and not isinstance(problem, OSError):
            raise
        say(f"{options.command}: {problem}")
        return 1
    return 0


def work_on_task(arguments: Sequence[str]) -> int:
    """Whoever waits for a task looks for its lock: it is taken before anything large is loaded."""
    from ml_backend.worker.arguments import task_parser
    from ml_backend.worker.process import run_task

    return run_task(task_parser().parse_args(arguments))


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
