"""What cannot be done about a study as a whole, each under its own name."""

from __future__ import annotations

from backend.core.studies.models import Study
from backend.core.studies.services import StudyError


class NotArchived(StudyError):
    def __init__(self, study: Study) -> None:
        super().__init__(f"“{study.name}” is not archived: there is nothing to restore.")


class AlreadyArchived(StudyError):
    def __init__(self, study: Study) -> None:
        super().__init__(f"“{study.name}” is archived already.")


class WrongName(StudyError):
    def __init__(self, study: Study) -> None:
        super().__init__(f"Nothing is deleted: type the study's name, {study.name}, to be sure.")


class StillBusy(StudyError):
    def __init__(self, study: Study) -> None:
        super().__init__(
            f"Jobs of “{study.name}” are queued or running: stop them under Jobs, or wait for their end."
        )


class DeletionRunning(StudyError):
    def __init__(self) -> None:
        super().__init__("The deletion is under way: stop it first.")
