"""The stream stays readable, and the files keep what happened."""

from __future__ import annotations

import io
from datetime import datetime
from pathlib import Path

import pytest
from honcho.printer import Message

from backend.operate.launch.logs import LAUNCHER, LogPrinter, is_noise, without_time

NOON = datetime(2026, 1, 5, 12, 0, 0)


def _shown(tmp_path: Path, name: str, data: str | bytes, *, shows: bool = True) -> str:
    output = io.StringIO()
    printer = LogPrinter(output, tmp_path, shows=shows)
    printer.write(Message("line", data, NOON, name, None))
    printer.close()
    return output.getvalue()


@pytest.mark.parametrize(
    "line", ["", "GET /health 200 2 ms", '"GET /health HTTP/1.1" 200 16', '"HEAD /health HTTP/1.1" 200 0']
)
def test_health_checks_are_noise(line: str) -> None:
    assert is_noise(line)


@pytest.mark.parametrize(
    "line", ["GET /health 500 2 ms", "GET /studies/ 200 9 ms", "GET /healthy-talk 200 1 ms"]
)
def test_everything_else_is_not(line: str) -> None:
    assert not is_noise(line)


@pytest.mark.parametrize(
    "line", ["[2026-01-05 10:11:12 +0000] [4711] [INFO] ready", "2026-01-05 10:11:12,345 [INFO] ready"]
)
def test_the_time_is_shown_once(line: str) -> None:
    assert without_time(line) == "[INFO] ready"


def test_a_line_is_shown_and_kept_without_colours(tmp_path: Path) -> None:
    shown = _shown(tmp_path, "web", "\x1b[32mGET /studies/ 200 9 ms\x1b[0m caf\u00e9\n".encode())
    assert shown.startswith("12:00:00 web")
    assert (tmp_path / "web.log").read_text() == "GET /studies/ 200 9 ms café\n"


def test_by_default_lines_are_kept_and_not_shown(tmp_path: Path) -> None:
    assert _shown(tmp_path, "worker", "Task jobs.run received\n", shows=False) == ""
    assert (tmp_path / "worker.log").read_text() == "Task jobs.run received\n"
    assert "ready" in _shown(tmp_path, LAUNCHER, "web is ready", shows=False)


def test_the_last_line_tells_what_a_process_is_at(tmp_path: Path) -> None:
    printer = LogPrinter(io.StringIO(), tmp_path, shows=False)
    for line in ("2026-01-05 10:11:12,345 Applying 0001", "2026-01-05 10:11:13,345 Applying 0002", ""):
        printer.write(Message("line", line, NOON, "label-studio", None))
    printer.close()
    assert (printer.lines_of("label-studio"), printer.last_line_of("label-studio")) == (2, "Applying 0002")
    assert (printer.lines_of("web"), printer.last_line_of("web")) == (0, "")


def test_what_label_studio_says_at_every_start_is_kept_but_not_shown(tmp_path: Path) -> None:
    assert _shown(tmp_path, "label-studio", "=> Static URL is set to: /static/\n") == ""
    assert "Static URL" in (tmp_path / "label-studio.log").read_text()


def test_the_launchers_own_words_reach_no_file_because_they_hold_passwords(tmp_path: Path) -> None:
    assert "secret" in _shown(tmp_path, LAUNCHER, "the password is secret")
    assert list(tmp_path.iterdir()) == []
