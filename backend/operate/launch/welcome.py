"""What people see once everything is up: where to go, and as whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Account:
    """A log-in of the demo study."""

    name: str
    role: str
    username: str
    password: str


@dataclass(frozen=True)
class Arrival:
    """What the welcome has to tell."""

    web_url: str
    label_studio_url: str
    log_dir: Path
    accounts: Sequence[Account]


def welcome(arrival: Arrival) -> str:
    lines = [
        f"Attune        {arrival.web_url}",
        f"API           {arrival.web_url}/api/v1/docs",
        f"Label Studio  {arrival.label_studio_url}",
        "              opened from Attune: by annotators from their work, by admins from the list of studies",
        f"Logs          {arrival.log_dir}",
        "",
        "Log in to the demo study as",
        *_account_lines(arrival.accounts),
        "",
        "Ctrl-C stops everything. `make run LOGS=1` shows the processes' lines here.",
    ]
    return "\n".join(_draw_box("Attune is running", lines))


def _account_lines(accounts: Sequence[Account]) -> list[str]:
    names = max((len(account.name) for account in accounts), default=0)
    usernames = max((len(account.username) for account in accounts), default=0)
    roles = max((len(account.role) for account in accounts), default=0)
    return [
        f"  {each.name:<{names}}  {each.role:<{roles}}  {each.username:<{usernames}}  {each.password}"
        for each in accounts
    ]


def _draw_box(title: str, lines: Sequence[str]) -> list[str]:
    width = max(len(title) + 2, *(len(line) for line in lines))
    return [
        f"┌─ {title} {'─' * (width - len(title) - 1)}┐",
        *(f"│ {line:<{width}} │" for line in lines),
        f"└{'─' * (width + 2)}┘",
    ]
