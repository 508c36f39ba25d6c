"""Reads settings from the environment and refuses what is not allowed, naming the variable and what is."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NoReturn, TypeVar
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")
PREFIX = "ATTUNE_"


class BadSetting(ImproperlyConfigured):
    """An environment variable holds a value that Attune cannot use."""


class Environment:
    """One pass over the variables: each is read once, and what nobody read is reported as a mistake."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables
        self.known: set[str] = set()

    def path(self, name: str, default: Path) -> Path:
        def parse(raw: str) -> Path:
            path = Path(raw).expanduser().resolve()
            if path.exists() and not path.is_dir():
                raise ValueError(raw)
            return path

        return self._read(name, default, parse, "a directory, or a path where one can be made")

    def words(self, name: str, default: tuple[str, ...]) -> list[str]:
        """At least one; where there is no default they have to be given."""
        found = self._read(
            name, default, lambda raw: tuple(word.strip() for word in raw.split(",") if word.strip()), "a,b,c"
        )
        if not found:
            raise BadSetting(f"{name} is missing: it takes a,b,c.")
        return list(found)

    def text(self, name: str, default: str) -> str:
        return self._read(name, default, str, "words")

    def choice(self, name: str, default: str, allowed: tuple[str, ...]) -> str:
        return self._read(
            name, default, dict(zip(allowed, allowed, strict=True)).__getitem__, " or ".join(allowed)
        )

    def integer(self, name: str, default: int, low: int, high: int) -> int:
        def parse(raw: str) -> int:
            value = int(raw)
            if not low <= value <= high:
                raise ValueError(raw)
            return value

        return self._read(name, default, parse, f"a whole number from {low} to {high}")

    def url(self, name: str, default: str, schemes: tuple[str, ...]) -> str:
        """An address may hold a password, so errors repeat its scheme alone."""
        self.known.add(name)
        raw = self._variables.get(name) or default
        try:
            parts = urlsplit(raw)
            sound = parts.scheme in schemes and (parts.port is None or parts.port > 0)
            if parts.scheme not in ("sqlite", "filesystem"):
                sound = sound and bool(parts.hostname)
        except ValueError:
            sound = False
        if not sound:
            allowed = " or ".join(f"{scheme}://…" for scheme in schemes)
            scheme, found, _ = raw.partition("://")
            shown = f"{scheme}://…" if found else "…"
            raise BadSetting(f"{name}={shown} is not allowed: it takes {allowed}.")
        return raw

    def optional_url(self, name: str, schemes: tuple[str, ...]) -> str:
        """Empty if it is not given."""
        self.known.add(name)
        return self.url(name, "", schemes) if self._variables.get(name) else ""

    def time_zone(self, name: str, default: str) -> str:
        return self._read(
            name, default, lambda raw: ZoneInfo(raw).key, "a time zone such as UTC or Europe/London"
        )

    def secret(self, name: str, default: str, shortest: int) -> str:
        """Its value never appears in an error."""
        self.known.add(name)
        value = self._variables.get(name) or default
        if len(value) < shortest:
            raise BadSetting(f"{name} is missing or too short: it needs at least {shortest} characters.")
        return value

    def optional_secret(self, name: str, default: str, shortest: int) -> str:
        """Empty if it is neither given nor made."""
        self.known.add(name)
        is_there = self._variables.get(name) or default
        return self.secret(name, default, shortest) if is_there else ""

    def token(self, name: str, default: str) -> str:
        """Label Studio takes a token of 40 hexadecimal digits and nothing else."""
        self.known.add(name)
        value = self._variables.get(name) or default
        if not re.fullmatch(r"[0-9a-f]{40}", value):
            raise BadSetting(f"{name} is missing or not sound: it needs 40 hexadecimal digits.")
        return value

    def refuse_unknown(self) -> None:
        """A misspelt variable would otherwise be ignored in silence."""
        for name in sorted(self._variables):
            if name.startswith(PREFIX) and name not in self.known:
                near = difflib.get_close_matches(name, sorted(self.known), n=1)
                hint = f"Did you mean {near[0]}?" if near else "docs/settings.md lists every setting."
                raise BadSetting(f"{name} is not a setting of Attune. {hint}")

    def _read(self, name: str, default: T, parse: Callable[[str], T], allowed: str) -> T:
        self.known.add(name)
        raw = self._variables.get(name)
        if raw is None or raw == "":
            return default
        try:
            return parse(raw)
        except (ValueError, KeyError, OSError):
            _refuse(name, raw, allowed)


def _refuse(name: str, raw: str, allowed: str) -> NoReturn:
    raise BadSetting(f"{name}={raw!r} is not allowed: it takes {allowed}.")
