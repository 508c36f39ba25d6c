"""What can go wrong with releases, each under its own name."""

from __future__ import annotations

from pathlib import Path


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


class OtherCodebook(ReleaseError):
    def __init__(self, name: str) -> None:
        super().__init__(
            f"The release was made with an edition of “{name}” that this study's codebook does not have. Import it "
            "into a study that has this edition, or into one without a codebook."
        )


class FolderMissing(ReleaseError):
    def __init__(self, folder: Path) -> None:
        super().__init__(f"The release's files are not at {folder}: restore the folder from a copy.")
