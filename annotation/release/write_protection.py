"""Takes write permission from the files of a release, and gives it back to those who remove them."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from corpus.atomic_files import sole_writer

MAKING = ".making-"
_READABLE, _OPEN, _OWN = 0o444, 0o555, 0o700


def seal(folder: Path) -> None:
    """Nobody changes a frozen file by accident; files first, because a sealed folder hides them from nobody."""
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            path.chmod(_READABLE)
    for directory in _directories(folder):
        directory.chmod(_OPEN)


def remove_folder(folder: Path) -> None:
    """Sealed or not, also half removed ones; nothing happens if it is not there."""
    if folder.is_symlink():
        folder.unlink()
    elif folder.exists():
        unseal(folder)
        shutil.rmtree(folder)


def unseal(folder: Path) -> None:
    """Entries can be removed again; the modes of files do not matter for that."""
    for directory in _directories(folder):
        directory.chmod(directory.stat().st_mode | _OWN)


def _directories(folder: Path) -> Iterator[Path]:
    """Each before what is in it, because one that may not be read cannot be walked; links are not followed."""
    yield folder
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            yield from _directories(path)


@contextmanager
def build_folder(home: Path) -> Iterator[Path]:
    """An empty folder in `home`, for one writer at a time; what a kill left of earlier ones goes. Raises FolderBusy."""
    with sole_writer(home):
        for left in home.glob(f"{MAKING}*"):
            remove_folder(left)
        folder = Path(mkdtemp(prefix=MAKING, dir=home))
        try:
            yield folder
        finally:
            remove_folder(folder)
