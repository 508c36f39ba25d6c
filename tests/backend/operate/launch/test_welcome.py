"""The welcome is a proper box that holds every log-in."""

from __future__ import annotations

from pathlib import Path

from backend.operate.launch.welcome import Account, Arrival, welcome


def test_the_box_is_straight_and_complete() -> None:
    accounts = [Account("Rosa", "researcher", "rosa", "one-two"), Account("Al", "annotator", "al", "three")]
    text = welcome(Arrival("http://127.0.0.1:1", "http://127.0.0.1:2", Path("/d/logs"), accounts))
    lines = text.splitlines()
    assert len({len(line) for line in lines}) == 1
    for account in accounts:
        assert any(account.username in line and account.password in line for line in lines)
    assert "http://127.0.0.1:2" in text
