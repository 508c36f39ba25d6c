"""One instance of Attune, as one person with a token."""

from __future__ import annotations

from typing import Any, Self

import pandas as pd

from attune_client.connection import Connection
from attune_client.frames import table
from attune_client.study import Study


class Attune:
    """`url` is where the instance is, such as `http://127.0.0.1:8000`; `token` is made on the page “Your account”.

    In a script, `with Attune(…) as attune:` closes the connection at the end; a notebook need not care.
    """

    def __init__(self, url: str, token: str, *, timeout: float = 60.0) -> None:
        self._connection = Connection(url, token, timeout)

    def __repr__(self) -> str:
        return f"Attune({self._connection.url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def me(self) -> dict[str, Any]:
        """Your account."""
        return dict(self._connection.get("me"))

    def studies(self) -> pd.DataFrame:
        """Those that you are a member of."""
        return table("studies", self._connection.get("studies"))

    def study(self, slug: str) -> Study:
        """By its short name, as it stands in its address. Raises NotFound."""
        return Study(self._connection, self._connection.get(f"studies/{slug}"))

    def create_study(self, name: str, *, description: str = "") -> Study:
        body = {"name": name, "description": description}
        return Study(self._connection, self._connection.post("studies", body))

    def shipped_codebooks(self) -> pd.DataFrame:
        """Those that come with Attune."""
        return pd.DataFrame(self._connection.get("codebooks"))

    def shipped_codebook(self, name: str) -> str:
        """Its YAML, to change and to give to `Study.add_codebook`."""
        return self._connection.text(f"codebooks/{name}")
