"""Which adapter of a study is in service, as a file that the ML backend's server watches."""

from __future__ import annotations

from pathlib import Path

import msgspec

from corpus.atomic_files import replace_file

IN_SERVICE = "in_service.json"


class InService(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`folder` is the adapter's; `since` the time at which it entered service, ISO 8601."""

    adapter_id: str
    folder: str
    edition_hash: str
    study_slug: str
    since: str


class ServiceFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`in_service` is None where the study has no adapter in service."""

    in_service: InService | None
    version: int = 1


class ServiceFileUnreadable(ValueError):
    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} does not say which adapter is in service. Start Attune again to mend it.")


def write_in_service(folder: Path, in_service: InService | None) -> None:
    """Into the folder of a study's adapters; readers see the old content or the new one."""
    folder.mkdir(parents=True, exist_ok=True)
    replace_file(folder / IN_SERVICE, msgspec.json.encode(ServiceFile(in_service)) + b"\n")


def read_in_service(folder: Path) -> InService | None:
    """None too where there is no such file yet. Raises ServiceFileUnreadable."""
    path = folder / IN_SERVICE
    try:
        return msgspec.json.decode(path.read_bytes(), type=ServiceFile).in_service
    except FileNotFoundError:
        return None
    except msgspec.DecodeError as error:
        raise ServiceFileUnreadable(path) from error
