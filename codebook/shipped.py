"""The codebooks that come with Attune, so that a study can start from one that is known to work."""

from pathlib import Path

from codebook.loader import load_codebook
from codebook.schema import Codebook

_FOLDER = Path(__file__).parent / "shipped_codebooks"


class UnknownCodebookError(LookupError):
    """No shipped codebook has this name."""


def shipped_codebooks() -> tuple[str, ...]:
    """
    >>> shipped_codebooks()
    ('construct-ratings', 'empathy-cause', 'empathy-practices', 'epitome')
    """
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.yaml")))


def shipped_path(name: str) -> Path:
    """Where the YAML of a shipped codebook is, for those who want to copy and edit it."""
    if name not in shipped_codebooks():
        raise UnknownCodebookError(
            f"there is no codebook {name!r}; choose from {', '.join(shipped_codebooks())}"
        )
    return _FOLDER / f"{name}.yaml"


def load_shipped(name: str) -> Codebook:
    return load_codebook(shipped_path(name))
