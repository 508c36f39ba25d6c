"""Where a learner keeps its state while it learns, so that a training that was killed goes on where it was."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from corpus.atomic_files import replace_file

SECONDS_BETWEEN = 60.0


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """`key` is the hash of everything that training depends on: another request never finds this state.

    What is kept is one file of tensors, with the rest as JSON in its header, so that it is whole or not there. A
    learner writes it about every `seconds`.
    """

    folder: Path
    key: str
    seconds: float = SECONDS_BETWEEN

    @property
    def path(self) -> Path:
        return self.folder / f"{self.key}.safetensors"

    def write(self, content: bytes) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        replace_file(self.path, content)

    def discard(self) -> None:
        """Once what was learned is kept elsewhere."""
        self.path.unlink(missing_ok=True)
