"""What can go wrong with releases, each under its own name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from annotation.exchange.registry import FORMATS
from annotation.release.card_words import number_of
from backend.core.web.formats import within_data

if TYPE_CHECKING:
    from backend.decide.releases.models import Release


class ReleaseError(Exception):
    """A release that cannot be made, read or brought in; the message says why and what to do."""


class NameTaken(ReleaseError):
    def __init__(self, name: str) -> None:
        super().__init__(f"This study already has a release named “{name}”: choose another name.")


class NothingToRelease(ReleaseError):
    def __init__(self) -> None:
        super().__init__(
            "No item can be released as asked: look at the preview to see what keeps items back, and settle that first."
        )


class ReleasesBusy(ReleaseError):
    """Another release of the study is being written; this one has to wait."""

    def __init__(self) -> None:
        super().__init__("Another release of this study is being written: try again when it is done.")


class InvalidRequest(ReleaseError):
    """Something asked for that does not go together."""


class UnknownExchange(ReleaseError):
    def __init__(self, format_name: str) -> None:
        known = ", ".join(FORMATS)
        super().__init__(f"Releases are not written as “{format_name}”: choose one of {known}.")


class NoDocuments(ReleaseError):
    """A release without texts, asked for in a format that is made of texts."""


class OtherCodebook(ReleaseError):
    def __init__(self, name: str) -> None:
        super().__init__(
            f"The release was made with an edition of “{name}” that this study's codebook does not have. Import it "
            "into a study that has this edition, or into one without a codebook."
        )


class OtherItems(ReleaseError):
    """Items of the study that are not those of the release, though they have the same ids."""

    def __init__(self, item_ids: Sequence[str]) -> None:
        first = ", ".join(item_ids[:3]) + (f" and {len(item_ids) - 3:,} more" if len(item_ids) > 3 else "")
        super().__init__(
            f"The study has items with the same ids and other texts or places than the release: {first}. Labels of one "
            "text are not labels of another: import it into a study of its own."
        )


class WordsWanted(ReleaseError):
    def __init__(self, n: int) -> None:
        super().__init__(
            f"The release has the texts of {number_of(n, 'item')} that this study works with without "
            "texts; what is in use never changes. Import it into a study of its own."
        )


class NotAsFrozen(ReleaseError):
    def __init__(self, release: Release, problems: Sequence[str]) -> None:
        super().__init__(
            f"Release {release.number} is not as it was frozen: {'; '.join(problems)}. Restore its folder from a copy."
        )


class FolderMissing(ReleaseError):
    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"The release's files are not at {within_data(folder)}: restore the folder from a copy."
        )
