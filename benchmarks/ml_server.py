"""Times the ML backend's server as it is run, with the real encoder: /health, /setup, and /predict of one item.

Trains a small adapter first, which says nothing sensible but takes as long as a good one. Fails if a goal is missed.
"""

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import cycle, islice
from pathlib import Path

import httpx
import psutil  # type: ignore[import-untyped]

from annotation.answers import ItemText
from codebook.shipped import load_shipped
from ml_backend.adapters.training import TrainingRequest, train_adapter
from ml_backend.examples import Example
from ml_backend.learners.registry import learner_type, make_config
from tests.ml_backend.fixtures import made_release
from tests.ml_backend.server.asking import PASSWORD, STUDY, predict_body, put_in_service, setup_body
from tests.servers import free_port

DEMO = Path("corpus/demo")
CODEBOOK = load_shipped("empathy-practices")
GOALS = {"health": 20.0, "setup": 20.0, "predict of one item": 150.0}


def demo_items() -> list[ItemText]:
    """The replies of the demo corpus with the posts they answer: texts as long as people write them."""
    found = []
    for posts in sorted(DEMO.glob("*.submissions.ndjson")):
        lines = [json.loads(line) for line in posts.read_text().splitlines()]
        by_id = {f"t3_{line['id']}": line for line in lines}
        for line in posts.with_name(posts.name.replace("submissions", "comments")).read_text().splitlines():
            reply = json.loads(line)
            post = by_id.get(reply["parent_id"])
            if post is not None:
                found.append(ItemText(reply["id"], post["title"], post["selftext"], reply["body"]))
    return found


def train(home: Path, learner: str) -> Path:
    release = made_release(home / "release", CODEBOOK, 30)
    options = {"epochs": 1} if learner == "encoder-lora" else {}
    request = TrainingRequest(
        release, home / "adapter", learner, make_config(learner_type(learner), options), 1, 2
    )
    train_adapter(request, now=datetime.now(UTC), report=lambda line: None)
    return home / "adapter"


@contextmanager
def serve(adapters: Path, threads: int) -> Iterator[tuple[httpx.Client, psutil.Process]]:
    """As `make run` serves it."""
    port = free_port()
    server = ["-m", "gunicorn", "ml_backend.server.wsgi", "--bind", f"127.0.0.1:{port}"]
    size = ["--worker-class", "gthread", "--workers", "1", "--threads", "4", "--no-control-socket"]
    environment = {
        **os.environ,
        "ML_ADAPTERS_DIR": str(adapters),
        "ML_SERVER_PASSWORD": PASSWORD,
        "ML_SERVER_THREADS": str(threads),
    }
    process = subprocess.Popen([sys.executable, *server, *size], env=environment, stderr=subprocess.DEVNULL)
    client = httpx.Client(
        base_url=f"http://127.0.0.1:{port}", auth=("attune", PASSWORD), trust_env=False, timeout=120
    )
    try:
        for _ in range(300):
            try:
                client.get("/health").raise_for_status()
                break
            except httpx.HTTPError:
                time.sleep(0.1)
        yield client, psutil.Process(process.pid)
    finally:
        client.close()
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)


def milliseconds(calls: Sequence[Callable[[], httpx.Response]]) -> list[float]:
    found = []
    for call in calls:
        started = time.perf_counter()
        call().raise_for_status()
        found.append(1000 * (time.perf_counter() - started))
    return found


def processor_seconds(process: psutil.Process) -> float:
    family = [process, *process.children(recursive=True)]
    return float(sum(each.cpu_times().user + each.cpu_times().system for each in family))


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--requests", type=int, default=300)
    options.add_argument("--learner", default="encoder-lora")
    options.add_argument("--threads", type=int, default=1, help="of torch, as ML_SERVER_THREADS")
    asked = options.parse_args()
    items = demo_items()
    with tempfile.TemporaryDirectory(prefix="attune-bench-") as folder:
        home = Path(folder)
        put_in_service(home / "adapters", train(home, asked.learner))
        bodies = [predict_body(CODEBOOK, [Example(item)]) for item in islice(cycle(items), asked.requests)]
        address = f"/studies/{STUDY}"
        with serve(home / "adapters", asked.threads) as (client, process):
            setup = setup_body(CODEBOOK)
            times = {
                "health": milliseconds([lambda: client.get(f"{address}/health")] * asked.requests),
                "setup": milliseconds([lambda: client.post(f"{address}/setup", json=setup)] * asked.requests),
            }
            (first,) = milliseconds([lambda: client.post(f"{address}/predict", json=bodies[0])])
            before = processor_seconds(process)
            times["predict of one item"] = milliseconds(
                [lambda body=body: client.post(f"{address}/predict", json=body) for body in bodies]  # type: ignore[misc]
            )
            spent = processor_seconds(process) - before
    words = statistics.median(len(f"{item.post} {item.reply}".split()) for item in items)
    print(
        f"{asked.learner}, {asked.requests} requests each, {len(items)} items of {words:.0f} words (median)"
    )
    print(f"first predict, which loads the adapter: {first / 1000:.1f} s")
    print(f"processor time of a predict: {1000 * spent / asked.requests:.0f} ms")
    missed = 0
    for name, found in times.items():
        p95 = statistics.quantiles(found, n=20)[-1]
        missed += p95 > GOALS[name]
        print(
            f"{name:<20} median {statistics.median(found):6.1f} ms   p95 {p95:6.1f} ms   goal ≤ {GOALS[name]:.0f} ms"
        )
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
