"""Which adapter answers for which study: loaded once, and swapped in the background when another enters service."""

from __future__ import annotations

import logging
import threading
import traceback
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from annotation.release.files import CODEBOOK
from codebook.editions import codebook_from_canonical
from codebook.problems import CodebookError
from codebook.schema import Codebook
from learning.adapters.in_service import IN_SERVICE, InService, ServiceFileUnreadable, read_in_service
from ml_backend.adapters.folder import Adapter, load_adapter
from ml_backend.server.refusals import NoneInService, NotLoadable

logger = logging.getLogger(__name__)
MOST_LOADED = 3
Load = Callable[[Path], Adapter]


@dataclass(frozen=True, slots=True)
class Loaded:
    """`lock` is held while it predicts: tokenizers are not made for two threads at once."""

    adapter: Adapter
    lock: threading.Lock


class StudyService:
    """One study's adapter. Whoever asks gets the one that is loaded, unless none is or the study has none."""

    def __init__(self, folder: Path, load: Load) -> None:
        self._folder = folder
        self._load = load
        self._loading = threading.Lock()
        self._loaded: Loaded | None = None
        self._broken: tuple[str, str] | None = None
        self._codebook: tuple[str, Codebook] | None = None

    def in_service(self) -> InService | None:
        try:
            return read_in_service(self._folder)
        except ServiceFileUnreadable:
            logger.error("%s does not say which adapter is in service.", self._folder / IN_SERVICE)
            return None

    def codebook(self) -> Codebook | None:
        """Of the adapter in service, without loading what it learned; None if there is none or it cannot be read."""
        in_service = self.in_service()
        if in_service is None:
            return None
        if self._codebook is None or self._codebook[0] != in_service.adapter_id:
            try:
                text = (Path(in_service.folder) / CODEBOOK).read_text(encoding="utf-8")
                self._codebook = in_service.adapter_id, codebook_from_canonical(text)
            except (OSError, CodebookError):
                return None
        return self._codebook[1]

    def adapter(self) -> Loaded:
        """Raises NoneInService or NotLoadable. Only the very first question waits for an adapter to be loaded."""
        wanted = self.in_service()
        if wanted is None:
            self._loaded = None
            raise NoneInService
        loaded = self._loaded
        if loaded is None:
            return self._first(wanted)
        if loaded.adapter.card.id != wanted.adapter_id and not self._is_broken(wanted):
            self._swap_in_background(wanted)
        return loaded

    def _first(self, wanted: InService) -> Loaded:
        with self._loading:
            # Whoever waited here may find it loaded.
            if self._loaded is None:
                self._take(wanted)
            if self._loaded is None:
                raise NotLoadable(self._broken[1] if self._broken else "unknown")
            return self._loaded

    def _swap_in_background(self, wanted: InService) -> None:
        if self._loading.acquire(blocking=False):
            threading.Thread(target=self._swap, args=[wanted], daemon=True).start()

    def _swap(self, wanted: InService) -> None:
        try:
            self._take(wanted)
        finally:
            self._loading.release()

    def _take(self, wanted: InService) -> None:
        """One that cannot be loaded changes nothing: what answered before goes on, and says which it is."""
        try:
            adapter = self._load(Path(wanted.folder))
        except Exception as problem:
            trace = "".join(traceback.format_tb(problem.__traceback__))
            kind = type(problem).__name__
            logger.error("Adapter %s cannot be loaded:\n%s%s", wanted.adapter_id[:12], trace, kind)
            self._broken = (wanted.adapter_id, kind)
        else:
            self._loaded, self._broken = Loaded(adapter, threading.Lock()), None
            logger.info("Adapter %s of %s answers now.", wanted.adapter_id[:12], wanted.study_slug)

    def _is_broken(self, wanted: InService) -> bool:
        return self._broken is not None and self._broken[0] == wanted.adapter_id


class Services:
    """By study. Of many studies, those that were asked last stay loaded."""

    def __init__(self, adapters: Path, *, load: Load = load_adapter, most: int = MOST_LOADED) -> None:
        self._adapters = adapters
        self._load = load
        self._most = most
        self._by_folder: OrderedDict[Path, StudyService] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, slug: str) -> StudyService | None:
        folder = self._folder(slug)
        if folder is None:
            return None
        with self._lock:
            service = self._by_folder.setdefault(folder, StudyService(folder, self._load))
            self._by_folder.move_to_end(folder)
            while len(self._by_folder) > self._most:
                self._by_folder.popitem(last=False)
            return service

    def _folder(self, slug: str) -> Path | None:
        """Folders are named by number and name; a deleted study may have left one, so the newest counts."""
        named = (
            (int(number), folder)
            for folder in self._adapters.glob(f"*-{slug}")
            if (number := folder.name.removesuffix(f"-{slug}")).isdecimal()
        )
        return max(named, default=(0, None))[1]
