"""The services of docker-compose.yml as local processes: their own commands, with addresses of this machine."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
SERVICES = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
# What .env may leave empty, with what it is then
_OPTIONAL = re.compile(r"\$\{\w+:-([^${}]*)\}")


@dataclass(frozen=True)
class ComposeServices:
    """`given` stands for what .env and the network of the containers give; each name must be one of some service's."""

    folder: Path
    given: Mapping[str, str]

    def environment(self, service: str) -> dict[str, str]:
        named: dict[str, str] = SERVICES[service]["environment"]
        unknown = set(self.given).difference(*(each.get("environment", ()) for each in SERVICES.values()))
        assert not unknown, f"no service has {unknown}"
        ours = {name: self.given.get(name, _OPTIONAL.sub(r"\1", value)) for name, value in named.items()}
        assert not [name for name, value in ours.items() if "${" in value], "something is not given"
        passed = {name: os.environ[name] for name in ("HOME", "LANG") if name in os.environ}
        path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
        return {**passed, **ours, "PATH": path, "PYTHONUNBUFFERED": "1"}

    def command(self, service: str, replaced: Mapping[str, str]) -> list[str]:
        return _with(SERVICES[service]["command"], replaced)

    def is_well(self, service: str, replaced: Mapping[str, str]) -> bool:
        """By the service's own check."""
        kind, *words = _with(SERVICES[service]["healthcheck"]["test"], replaced)
        assert kind in ("CMD", "CMD-SHELL")
        if kind == "CMD-SHELL":
            words = ["sh", "-c", words[0].replace("$$", "$")]
        checked = subprocess.run(words, env=self.environment(service), capture_output=True, check=False)
        return checked.returncode == 0

    @contextmanager
    def running(
        self, service: str, name: str = "", replaced: Mapping[str, str] | None = None
    ) -> Iterator[subprocess.Popen[bytes]]:
        with (self.folder / f"{name or service}.log").open("wb") as log:
            process = subprocess.Popen(
                self.command(service, replaced or {}),
                env=self.environment(service),
                cwd=ROOT,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            env=self.environment("web"),
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )


def _with(words: Sequence[str], replaced: Mapping[str, str]) -> list[str]:
    for old, new in replaced.items():
        assert any(old in word for word in words), f"{words} have no {old}"
        words = [word.replace(old, new) for word in words]
    return list(words)
