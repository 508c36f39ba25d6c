"""Sessions as rows: who signs out is out, also for a cookie that somebody has kept.

Label Studio keeps the whole session in a signed cookie, which nothing can take back before it expires. It also writes
into the session at every request, of strangers and of Attune's token too; as rows, that would fill the table.
"""

import time

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as RowStore

RENEWED_EVERY_SECONDS = 3600


class SessionStore(RowStore):
    """Writes a row for people who are signed in, when there is something new in it."""

    def is_empty(self) -> bool:
        """Django neither stores an empty session nor leaves its cookie."""
        return SESSION_KEY not in self._session

    def __setitem__(self, key, value) -> None:
        if key not in self._session or self._session[key] != value:
            super().__setitem__(key, value)

    def set_expiry(self, value) -> None:
        """Label Studio asks for a new term at every request; row and cookie get it once an hour."""
        self["attune_renewed"] = int(time.time()) // RENEWED_EVERY_SECONDS
        super().set_expiry(value)
