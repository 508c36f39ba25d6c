"""Folders whose files have names of their own: `folder.facts` for `folder.path / "run.json"`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


class HasPath(Protocol):
    @property
    def path(self) -> Path: ...


@dataclass(frozen=True, slots=True)
class Inside:
    """An attribute of a folder: what lies in it under this name."""

    name: str

    def __get__(self, folder: HasPath, owner: type) -> Path:
        return folder.path / self.name
