"""What can go wrong around a corpus besides its contents."""

from __future__ import annotations


class CorporaError(Exception):
    """Base of these errors; every message says what to do."""


class UnknownFile(CorporaError):
    def __init__(self, name: str) -> None:
        super().__init__(
            f"The study has no file named “{name}”: upload it, or copy it into the study's folder."
        )


class BadFileName(CorporaError):
    def __init__(self, name: str) -> None:
        super().__init__(f"“{name}” cannot be a file's name here: use letters, digits, space and . _ - only.")


class FileTooLarge(CorporaError):
    def __init__(self, name: str, limit: int) -> None:
        super().__init__(
            f"“{name}” is larger than an upload may be ({limit // 2**20} MB): copy it into the study's folder on "
            "the server, or import it there with manage.py."
        )


class FileExists(CorporaError):
    def __init__(self, name: str) -> None:
        super().__init__(f"The study already has a file named “{name}”: delete it first, or rename yours.")


class CorpusInUse(CorporaError):
    def __init__(self, name: str, samples: list[str]) -> None:
        super().__init__(f"“{name}” cannot be deleted: samples were drawn from it ({', '.join(samples)}).")


class CorpusLabelled(CorporaError):
    def __init__(self, name: str, runs: list[int]) -> None:
        numbers = ", ".join(map(str, runs))
        super().__init__(f"“{name}” cannot be deleted: models labelled it (labelling runs {numbers}).")


class CorpusBusy(CorporaError):
    def __init__(self, name: str, *, is_drawn_from: bool = False) -> None:
        what = (
            f"A sample is being drawn from “{name}”" if is_drawn_from else f"“{name}” is being imported into"
        )
        super().__init__(f"{what}: wait for the job, or stop it first.")


class SamplesDependOnIt(CorporaError):
    def __init__(self, name: str, samples: list[str]) -> None:
        super().__init__(
            f"Samples were drawn from “{name}” ({', '.join(samples)}), so its texts cannot be replaced: import into "
            "a new corpus instead."
        )


class ImportInUse(CorporaError):
    def __init__(self, name: str, uses: str) -> None:
        super().__init__(
            f"The import into “{name}” cannot be undone, because its texts are used: {uses}. Import into a new "
            "corpus instead."
        )


class BadCorpusName(CorporaError):
    """The name is taken, or leaves nothing for an address."""
