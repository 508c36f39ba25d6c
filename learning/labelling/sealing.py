"""Ends a run: sees that every unit has each label of its part once, and writes the hash of every file down."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import msgspec
import polars as pl
from polars.exceptions import PolarsError

from annotation.release.manifest import FileEntry, file_entry
from corpus.atomic_files import replace_file
from learning.labelling.facts import RunFacts, read_facts
from learning.labelling.folder import RunFolder
from learning.labelling.read import LABEL_SCHEMA, scan_units

Report = Callable[[int, int], None]


class RunManifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every file of a finished run but the manifest itself, whose own sha256 names what was labelled."""

    files: tuple[FileEntry, ...]
    format: str = "attune-labels"
    version: int = 1


class NotWhole(ValueError):
    def __init__(self, shard: int, problem: str) -> None:
        super().__init__(
            f"Shard {shard} is not what was to be labelled ({problem}): remove its file and start the run again."
        )
        self.shard = shard


def seal(folder: RunFolder, *, report: Report = lambda done, total: None) -> str:
    """The hash of the manifest. Raises NotWhole; sealing again gives the same."""
    facts = read_facts(folder.facts)
    units = scan_units(folder.path).select("item_id", "part", "shard").collect()
    for done, (key, of_shard) in enumerate(units.group_by("shard", maintain_order=True)):
        report(done, facts.n_shards)
        check_shard(folder, facts, int(str(key[0])), of_shard)
    names = ["run.json", "units.parquet"]
    names += sorted(path.relative_to(folder.path).as_posix() for path in folder.labels.glob("[0-9]*.parquet"))
    manifest = RunManifest(tuple(file_entry(folder.path, name) for name in names))
    content = msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"
    replace_file(folder.manifest, content)
    return hashlib.sha256(content).hexdigest()


def check_shard(folder: RunFolder, facts: RunFacts, shard: int, units: pl.DataFrame) -> None:
    """Holds one file of labels against the units that it has to label. Raises NotWhole."""
    try:
        labels = pl.read_parquet(folder.labels_of(shard), glob=False)
    except (OSError, PolarsError) as error:
        raise NotWhole(shard, "its file is missing or no Parquet file") from error
    if labels.schema != LABEL_SCHEMA:
        raise NotWhole(shard, "its columns are others")
    if not labels["adapter"].eq(facts.adapter_id).all():
        raise NotWhole(shard, "another adapter wrote it")
    wanted = pl.DataFrame(
        [(part, code) for part in ("post", "reply") for code in facts.codes_of(part)],
        schema={"part": pl.String, "code": pl.String},
        orient="row",
    )
    expected = units.select("item_id", "part").join(wanted, on="part")
    keys = ["item_id", "part", "code"]
    if labels.height != expected.height or not labels.select(keys).sort(keys).equals(
        expected.select(keys).sort(keys)
    ):
        raise NotWhole(shard, "a label is missing, there twice, or of another text")


def verify_run(folder: Path, expected_hash: str) -> list[str]:
    """What is not as it was when the run ended; nothing if all is."""
    here = RunFolder(folder)
    try:
        content = here.manifest.read_bytes()
        manifest = msgspec.json.decode(content, type=RunManifest)
    except (OSError, msgspec.DecodeError):
        return ["manifest.json cannot be read"]
    problems = []
    if hashlib.sha256(content).hexdigest() != expected_hash:
        problems.append("manifest.json is not the one that the run ended with")
    for entry in manifest.files:
        try:
            is_same = file_entry(folder, entry.path) == entry
        except OSError:
            problems.append(f"{entry.path} is missing")
            continue
        if not is_same:
            problems.append(f"{entry.path} was changed")
    return problems
