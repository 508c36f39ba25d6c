"""A frozen release: its labels, items and split as DataFrames, and as data sets for training."""

from __future__ import annotations

import io
import json
import zipfile
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pandas as pd

from attune_client.connection import Connection

if TYPE_CHECKING:
    from datasets import DatasetDict


class Release:
    def __init__(self, connection: Connection, study: str, facts: dict[str, Any]) -> None:
        self._connection, self._path = connection, f"studies/{study}/releases/{facts['number']}"
        self.number: int = facts["number"]
        self.name: str = facts["name"]
        self.hash: str = facts["hash"]
        self.facts = facts

    def __repr__(self) -> str:
        return f"<Release {self.number}: {self.name}, {self.hash[:12]}>"

    def verify(self) -> bool:
        """Whether the files are as they were frozen."""
        return bool(self._connection.post(f"{self._path}/verify")["is_sound"])

    def labels(self) -> pd.DataFrame:
        """A row for each label: item, code, value, how it came about, with what confidence."""
        return self._table("labels.csv")

    def split(self) -> pd.DataFrame:
        """Which item is in which part."""
        return self._table("split.csv")

    def items(self) -> pd.DataFrame:
        """A row for each item, with everything that is known of it."""
        lines = self._archive.read(self._member("items.jsonl")).decode().splitlines()
        return pd.DataFrame([json.loads(line) for line in lines])

    def data_card(self) -> str:
        return self._archive.read(self._member("README.md")).decode()

    def download(self, folder: Path | str) -> Path:
        """The files of the release, for `manage.py train` or `datasets.load_dataset`."""
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        self._archive.extractall(target)
        return target / Path(self._member("manifest.json")).parent

    def to_datasets(self) -> DatasetDict:
        """By part, as Hugging Face's `datasets` has it; needs `pip install attune-client[datasets]`."""
        from datasets import Dataset, DatasetDict

        with TemporaryDirectory() as folder:
            files = {path.stem: path for path in sorted((self.download(folder) / "data").glob("*.parquet"))}
            frames = {part: pd.read_parquet(path) for part, path in files.items()}
        return DatasetDict({part: Dataset.from_pandas(frame) for part, frame in frames.items()})

    @cached_property
    def _archive(self) -> zipfile.ZipFile:
        with TemporaryDirectory() as folder:
            path = self._connection.download(f"{self._path}/release.zip", Path(folder) / "release.zip")
            return zipfile.ZipFile(io.BytesIO(path.read_bytes()))

    def _member(self, name: str) -> str:
        """Whether or not the archive puts its files into a folder."""
        return next(each for each in self._archive.namelist() if Path(each).name == name)

    def _table(self, name: str) -> pd.DataFrame:
        with self._archive.open(self._member(name)) as handle:
            return pd.read_csv(handle, dtype={"item_id": str})
