"""A pytest plugin (`-p`): starts the longest files first, and tells `make check` which tests take too long for it.

`tests/durations.json` holds the seconds of every test that takes a noticeable time. It is measured, not written:
`make durations` keeps what the last `make test` has measured. A test that it does not know counts as quick.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

KNOWN = Path(__file__).with_name("durations.json")
# What is shorter is not worth a line
NOTICEABLE_SECONDS = 0.2


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--durations-to", type=Path, metavar="FILE", help="write the seconds of each test as JSON"
    )


def pytest_configure(config: pytest.Config) -> None:
    target: Path | None = config.getoption("--durations-to")
    # With xdist the main process alone hears of all tests
    if target is not None and not hasattr(config, "workerinput"):
        config.pluginmanager.register(DurationsWriter(target))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A file stays on one process: the longest begin first, so that none is left over for one core alone."""
    known = known_durations()
    by_file = seconds_by_file(known)
    items.sort(key=lambda item: -by_file.get(file_of(item.nodeid), 0.0))
    for item in items:
        if item.nodeid in known:
            item.add_marker(pytest.mark.slow)


class DurationsWriter:
    """Adds up set-up, call and tear-down of each test."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._seconds: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[report.nodeid.partition("@")[0]] += report.duration  # type: ignore[assignment]

    def pytest_sessionfinish(self) -> None:
        self._target.parent.mkdir(parents=True, exist_ok=True)
        self._target.write_text(json.dumps(self._seconds, indent=1))


def known_durations() -> dict[str, float]:
    return _read(KNOWN) if KNOWN.exists() else {}


def file_of(nodeid: str) -> str:
    return nodeid.partition("::")[0]


def seconds_by_file(durations: Mapping[str, float]) -> dict[str, float]:
    found: defaultdict[str, float] = defaultdict(float)
    for nodeid, seconds in durations.items():
        found[file_of(nodeid)] += seconds
    return dict(found)


def folder_of(nodeid: str) -> str:
    """As tests/backend/annotate/batches, tests/learning/scoring, tests/codebook."""
    parts = Path(file_of(nodeid)).parent.parts
    return "/".join(parts[: 4 if "backend" in parts else 3])


def table(steps: Mapping[str, Mapping[str, float]]) -> str:
    """Seconds by folder and step, the longest first; what runs side by side is added up."""
    rows: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for step, durations in steps.items():
        for nodeid, seconds in durations.items():
            rows[folder_of(nodeid)][step] += seconds  # type: ignore[assignment]
    lines = [f"| folder | {' | '.join(steps)} |", "|---|" + "--:|" * len(steps)]
    for folder, by_step in sorted(rows.items(), key=lambda row: -sum(row[1].values())):
        lines.append(f"| {folder} | " + " | ".join(f"{by_step[step]:.0f}" for step in steps) + " |")
    sums = (f"{sum(durations.values()):.0f}" for durations in steps.values())
    lines.append(f"| all, one after the other | {' | '.join(sums)} |")
    return "\n".join(lines)


def keep(steps: Iterable[Mapping[str, float]]) -> None:
    """The longest that a test took in any step."""
    longest: dict[str, float] = {}
    for durations in steps:
        for nodeid, seconds in durations.items():
            longest[nodeid] = max(seconds, longest.get(nodeid, 0.0))
    kept = {
        name: round(seconds, 1) for name, seconds in sorted(longest.items()) if seconds >= NOTICEABLE_SECONDS
    }
    KNOWN.write_text(json.dumps(kept, indent=0) + "\n")


def _read(path: Path) -> dict[str, float]:
    found: dict[str, float] = json.loads(path.read_text())
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.durations", description="Where the time of the tests goes."
    )
    parser.add_argument(
        "files", nargs="+", type=Path, help="what --durations-to has written, a file for each step"
    )
    parser.add_argument("--keep", action="store_true", help=f"write {KNOWN.name} anew")
    chosen = parser.parse_args()
    steps = {path.stem: _read(path) for path in sorted(chosen.files)}
    print(table(steps))
    if chosen.keep:
        keep(steps.values())


if __name__ == "__main__":
    main()
