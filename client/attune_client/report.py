"""A report: its tables as DataFrames, its methods as text."""

from __future__ import annotations

import io
from pathlib import Path, PurePosixPath
from typing import Any

import pandas as pd

from attune_client.connection import Connection


class Report:
    def __init__(self, connection: Connection, study: str, facts: dict[str, Any]) -> None:
        self._connection, self._path = connection, f"studies/{study}/reports/{facts['number']}"
        self.number: int = facts["number"]
        self.title: str = facts["title"]
        self.facts = facts

    def __repr__(self) -> str:
        return f"<Report {self.number}: {self.title}>"

    @property
    def files(self) -> list[str]:
        return sorted(self.facts["files"])

    def tables(self) -> list[str]:
        """Names for `table`."""
        return [PurePosixPath(name).stem for name in self.files if name.endswith(".csv")]

    def table(self, name: str) -> pd.DataFrame:
        """One of `tables()`."""
        path = next((each for each in self.files if PurePosixPath(each).name == f"{name}.csv"), None)
        if path is None:
            raise KeyError(f"The report has no table {name!r}: choose from {', '.join(self.tables())}.")
        return pd.read_csv(io.StringIO(self._connection.text(f"{self._path}/files/{path}")))

    def methods(self) -> str:
        """The paragraph for the paper, in Markdown."""
        return self._connection.text(f"{self._path}/files/methods.md")

    def download(self, target: Path | str) -> Path:
        """All of it as a ZIP file."""
        return self._connection.download(f"{self._path}/report.zip", Path(target))
