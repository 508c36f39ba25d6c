"""Compares the client with the bare SDK on a running Label Studio: import, listing, and a poll with nothing new."""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import httpx
from label_studio_sdk import LabelStudio

from backend.label_studio.client import PAGE, HttpLabelStudio
from tests.integration.label_studio_server import RunningLabelStudio, new_instance, run_label_studio

TASKS = 20_000
IMPORT_ROUNDS = 2
POLLS = 5
WANTED_RATIO = 0.7
WANTED_SECONDS = 1.0
CONFIG = (
    '<View><Text name="post" value="$post"/>'
    '<Labels name="kindness" toName="post"><Label value="thanks"/></Labels></View>'
)
WORDS = ("thank", "you", "for", "this", "it", "helped", "me", "so", "much", "élan", "🙂")


def task_texts(number: int, rng: random.Random) -> list[dict[str, object]]:
    """About 900 characters each, as posts with a reply have."""

    def text(words: int) -> str:
        return " ".join(rng.choices(WORDS, k=words))

    return [
        {"item": f"item-{n}", "title": text(8), "post": text(120), "replies": [{"text": text(80)}]}
        for n in range(number)
    ]


def one_annotation() -> dict[str, object]:
    rows = [
        {
            "id": f"row-{n}",
            "type": "labels",
            "from_name": "kindness",
            "to_name": "post",
            "value": {"start": n, "end": n + 5, "text": "thank", "labels": ["thanks"]},
        }
        for n in range(4)
    ]
    return {"result": rows, "lead_time": 31.5}


def compare_imports(sdk: LabelStudio, server: HttpLabelStudio, tasks: list[dict[str, object]]) -> None:
    ratios = []
    for number in range(IMPORT_ROUNDS):
        bare_into = server.create_project(title=f"bare {number}", marker="", label_config=CONFIG)
        ours_into = server.create_project(title=f"ours {number}", marker="", label_config=CONFIG)
        bare = _seconds(partial(sdk.projects.import_tasks, bare_into, request=_as_sdk_takes_them(tasks)))
        ours = _seconds(partial(server.import_tasks, ours_into, tasks))
        ratios.append(bare / ours)
        _say("import", len(tasks), bare, ours)
    print(f"import: median ratio {median(ratios):.2f} (at least {WANTED_RATIO:.2f} wanted)")


def compare_listings(sdk: LabelStudio, server: HttpLabelStudio, project: int, number: int) -> None:
    def bare() -> None:
        listed: Iterable[Any] = sdk.tasks.list(project=project, page_size=PAGE, fields="all")
        assert sum(len(task.annotations) for task in listed) == number

    def ours() -> None:
        assert sum(len(task.annotations) for task in server.changed_tasks(project, after=None)) == number

    bare_seconds, our_seconds = _seconds(bare), _seconds(ours)
    _say("listing", number, bare_seconds, our_seconds)
    print(f"listing: ratio {bare_seconds / our_seconds:.2f} (at least {WANTED_RATIO:.2f} wanted)")


def time_polls(server: HttpLabelStudio, project: int) -> None:
    newest = server.latest_change(project, after=None)

    def poll() -> None:
        assert server.latest_change(project, after=newest) is None

    seconds = [_seconds(poll) for _ in range(POLLS)]
    print(f"poll with nothing new: median {median(seconds):.3f} s (at most {WANTED_SECONDS:.1f} s wanted)")
    print(f"index of all tasks: {_seconds(lambda: server.task_index(project)):.3f} s, for information")


def run(running: RunningLabelStudio, number: int) -> None:
    server = HttpLabelStudio(running.url, running.instance.token)
    tasks = task_texts(number, random.Random(1))
    with httpx.Client(trust_env=False, timeout=600) as connections:
        sdk = LabelStudio(  # type: ignore[no-untyped-call]
            base_url=running.url, api_key=running.instance.token, httpx_client=connections
        )
        compare_imports(sdk, server, tasks)
        project = server.create_project(title="annotated", marker="", label_config=CONFIG)
        for start in range(0, number, 2000):
            chunk = tasks[start : start + 2000]
            annotated = [{"data": task, "annotations": [one_annotation()]} for task in chunk]
            sdk.projects.import_tasks(project, request=_as_sdk_takes_them(annotated))
        time_polls(server, project)
        compare_listings(sdk, server, project, number)
    server.close()


def _as_sdk_takes_them(tasks: object) -> Any:
    """Its documentation hands it plain dictionaries; its types ask for objects."""
    return tasks


def _say(what: str, number: int, bare: float, ours: float) -> None:
    print(
        f"{what}: bare SDK {number / bare:6.0f} tasks/s   client {number / ours:6.0f} tasks/s   "
        f"ratio {bare / ours:.2f}"
    )


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.label_studio_client", description=__doc__)
    parser.add_argument("--tasks", type=int, default=TASKS, help="how many tasks to carry")
    number = parser.parse_args().tasks
    with tempfile.TemporaryDirectory(prefix="attune-label-studio-") as name:
        for running in run_label_studio(new_instance(Path(name))):
            run(running, number)


if __name__ == "__main__":
    main()
