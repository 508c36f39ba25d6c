"""From a study to what its cells work on, with everything checked before anything is computed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from learning.transfer.construct_ratings import Rating, read_construct_ratings
from learning.transfer.results import constructs
from learning.transfer.splitting import Task, split_tasks
from learning.transfer.study import TransferStudy, read_study, with_paths
from learning.transfer.tasks import check_parts, read_task


@dataclass(frozen=True, slots=True)
class PreparedStudy:
    study: TransferStudy
    tasks: tuple[Task, ...]
    ratings: tuple[Rating, ...]


def prepare_study(path: Path) -> PreparedStudy:
    """Files that the study names are looked for beside it."""
    return prepare(with_paths(read_study(path), path.parent))


def prepare(study: TransferStudy) -> PreparedStudy:
    """Of a study whose paths are whole. Raises what says why it cannot be run."""
    ratings = read_construct_ratings(Path(study.ratings)) if study.ratings else ()
    constructs(study, ratings)
    read = [read_task(task) for task in study.tasks]
    check_parts(read)
    return PreparedStudy(study, split_tasks(read, study), ratings)
