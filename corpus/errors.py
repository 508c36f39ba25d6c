"""Everything that can go wrong with a corpus, as named errors that say where and what to do."""

from pathlib import Path


class CorpusError(Exception):
    """Base of all errors of this room, so that a caller can show any of them as a message."""


class InputError(CorpusError):
    """A source cannot be read as it is; carries the file and the place in it. The message names the file alone, because
    it is shown to people who need not know where the server keeps it."""

    def __init__(self, path: Path, place: str, problem: str, advice: str) -> None:
        where = f"{path.name}, {place}" if place else path.name
        super().__init__(f"{where}: {problem} {advice}")
        self.path = path
        self.place = place


class SourceMissing(InputError):
    pass


class EmptySource(InputError):
    pass


class WrongFormat(InputError):
    pass


class TruncatedSource(InputError):
    pass


class DamagedSource(InputError):
    pass


class OutputLimitExceeded(InputError):
    """A compressed file expands beyond what the rules allow."""


class LineTooLong(InputError):
    pass


class BrokenRecord(InputError):
    pass


class BrokenEncoding(InputError):
    pass


class DoctypeRefused(InputError):
    pass


class BrokenXml(InputError):
    pass


class MissingColumn(InputError):
    pass


class WrongType(InputError):
    pass


class InvalidName(CorpusError):
    """A long value is not repeated: it may be a text that ended up in the wrong column."""

    def __init__(self, kind: str, name: str) -> None:
        shown = repr(name) if len(name) <= 100 else f"A text of {len(name):,} characters"
        super().__init__(
            f"{shown} cannot be the name of a {kind}. Use 1 to 100 letters, digits, '_', '-' or '.', "
            f"starting with a letter, a digit or '_' and not ending with '.'."
        )


class CommunityExists(CorpusError):
    def __init__(self, names: list[str]) -> None:
        super().__init__(
            f"Already in this corpus from another import: {', '.join(names)}. "
            f"Nothing was changed. Ask for replacement to put the new data in their place."
        )
        self.names = names


class UnknownCommunity(CorpusError):
    def __init__(self, name: str, known: list[str]) -> None:
        listed = ", ".join(known) if known else "none yet"
        super().__init__(f"No community {name!r} in this corpus. Communities here: {listed}.")


class UnknownLabelSet(CorpusError):
    def __init__(self, name: str, known: list[str]) -> None:
        listed = ", ".join(known) if known else "none yet"
        super().__init__(f"No label set {name!r} in this corpus. Label sets here: {listed}.")


class UnknownImport(CorpusError):
    def __init__(self, import_id: str) -> None:
        super().__init__(f"No import {import_id!r} in this corpus: it may be undone already.")


class StoreBusy(CorpusError):
    def __init__(self, root: Path) -> None:
        super().__init__(
            f"Another import is writing to {root.name}. Wait until it has finished, then run this."
        )


class ManifestBroken(CorpusError):
    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(
            f"{path.parent.name}/{path.name} is not a manifest of this version ({problem}). Restore it "
            f"from a backup, or move the corpus "
            f"directory away and import again."
        )


class InvalidRules(CorpusError):
    pass
