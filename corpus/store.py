"""A corpus on disk: one manifest names what is visible, so each change is one atomic file replacement."""

import hashlib
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec
import polars as pl

from corpus.atomic_files import FolderBusy, replace_file, sole_writer
from corpus.errors import ManifestBroken, StoreBusy, UnknownCommunity, UnknownImport, UnknownLabelSet
from corpus.names import checked_name
from corpus.records import LABEL_SCHEMA, POST_SCHEMA, REPLY_SCHEMA, ImportRecord, LabelRecord

FORMAT = 1


@dataclass(frozen=True)
class Manifest:
    """`communities`: which import each visible community comes from."""

    format: int = FORMAT
    communities: dict[str, str] = field(default_factory=dict)
    imports: tuple[ImportRecord, ...] = ()
    labels: tuple[LabelRecord, ...] = ()

    @property
    def state(self) -> str:
        """Differs whenever other texts are visible."""
        return hashlib.sha256(msgspec.json.encode(sorted(self.communities.items()))).hexdigest()[:16]

    def holds(self, record: LabelRecord) -> bool:
        """Whether all texts that these labels belong to are still those that they were matched with."""
        return record.matched.items() <= self.communities.items()


@dataclass(frozen=True)
class CorpusStore:
    root: Path

    @property
    def exists(self) -> bool:
        return self.manifest_path.is_file()

    @property
    def manifest_path(self) -> Path:
        return self.root / "corpus.json"

    @property
    def staging_root(self) -> Path:
        return self.root / "staging"

    def import_path(self, import_id: str) -> Path:
        return self.root / "imports" / import_id

    def community_path(self, import_id: str, community: str) -> Path:
        return self.import_path(import_id) / "communities" / checked_name("community", community)

    def label_path(self, record: LabelRecord) -> Path:
        return self.root / "labels" / checked_name("label set", record.label_set) / f"{record.id}.parquet"

    def communities(self) -> list[str]:
        return sorted(self.manifest().communities)

    def imports(self) -> list[ImportRecord]:
        return list(self.manifest().imports)

    def label_sets(self) -> list[str]:
        return sorted({record.label_set for record in self.labels()})

    def labels(self) -> list[LabelRecord]:
        """Those on texts that are still there: labels of a community that was replaced are not shown."""
        manifest = self.manifest()
        return [record for record in manifest.labels if manifest.holds(record)]

    def unfinished(self) -> list[str]:
        """Ids of imports that were stopped on the way; the same import run again goes on from there."""
        if not self.staging_root.is_dir():
            return []
        return sorted(path.name for path in self.staging_root.iterdir())

    def discard_unfinished(self) -> None:
        with self.locked():
            shutil.rmtree(self.staging_root, ignore_errors=True)

    def undo_import(self, import_id: str) -> ImportRecord | LabelRecord:
        """Takes one import's texts, or one file's labels, out again. What it replaced does not come back."""
        with self.locked():
            manifest = self.manifest()
            for record in manifest.imports:
                if record.id == import_id:
                    left = {name: owner for name, owner in manifest.communities.items() if owner != import_id}
                    kept = tuple(other for other in manifest.imports if other.id != import_id)
                    self.write_manifest(replace(manifest, communities=left, imports=kept))
                    shutil.rmtree(self.import_path(import_id), ignore_errors=True)
                    return record
            for labels in manifest.labels:
                if labels.id == import_id:
                    others = tuple(other for other in manifest.labels if other.id != import_id)
                    self.write_manifest(replace(manifest, labels=others))
                    self.label_path(labels).unlink(missing_ok=True)
                    return labels
        raise UnknownImport(import_id)

    def scan_posts(self, community: str | None = None) -> pl.LazyFrame:
        return _scan(self._parts("posts", community), POST_SCHEMA)

    def scan_replies(self, community: str | None = None) -> pl.LazyFrame:
        return _scan(self._parts("replies", community), REPLY_SCHEMA)

    def scan_labels(self, name: str) -> pl.LazyFrame:
        records = [record for record in self.labels() if record.label_set == name]
        if not records:
            raise UnknownLabelSet(name, self.label_sets())
        return self.scan_label_files(records)

    def scan_label_files(self, records: Sequence[LabelRecord]) -> pl.LazyFrame:
        return _scan([self.label_path(record) for record in records], LABEL_SCHEMA)

    def _parts(self, stem: str, community: str | None) -> list[Path]:
        owners = self.manifest().communities
        if community is not None and community not in owners:
            raise UnknownCommunity(community, sorted(owners))
        names = sorted(owners) if community is None else [community]
        return [
            part
            for name in names
            for part in sorted(self.community_path(owners[name], name).glob(f"{stem}-*.parquet"))
        ]

    def manifest(self) -> Manifest:
        try:
            raw = self.manifest_path.read_bytes()
        except FileNotFoundError:
            return Manifest()
        try:
            manifest = msgspec.json.decode(raw, type=Manifest)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ManifestBroken(self.manifest_path, str(error)) from error
        if manifest.format != FORMAT:
            raise ManifestBroken(self.manifest_path, f"format {manifest.format}, expected {FORMAT}")
        return manifest

    def write_manifest(self, manifest: Manifest) -> None:
        """Callers hold `locked()`."""
        text = msgspec.json.format(msgspec.json.encode(manifest), indent=1)
        replace_file(self.manifest_path, text)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """One writer at a time."""
        try:
            with sole_writer(self.root):
                yield
        except FolderBusy as error:
            raise StoreBusy(self.root) from error


def _scan(parts: list[Path], schema: pl.Schema) -> pl.LazyFrame:
    if not parts:
        return pl.LazyFrame(schema=schema)
    return pl.scan_parquet(parts, schema=schema, glob=False)
