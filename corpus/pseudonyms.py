"""User names never enter a corpus: each becomes a keyed pseudonym, also where a text mentions it."""

import re
from collections.abc import Iterable
from hashlib import blake2b

from corpus.errors import InvalidRules

# Reddit's editor escapes underscores; r/u_name is the page of a user.
_MENTION = re.compile(
    r"(?<![a-z0-9_])(r/u\\?_|u/|user/)((?:[a-z0-9-]|\\?_){3,20})(?![a-z0-9_-])", re.IGNORECASE
)
_ESCAPE = "\\"
MENTION_MARKS = ("u/", "user/", "r/u")
_CACHE_LIMIT = 300_000
# What platforms write in the place of a name that is gone.
_NOBODY: dict[str | None, None] = {None: None, "": None, "[deleted]": None, "[removed]": None}


class _Known(dict[str | None, str | None]):
    """A bounded memory of names: a lookup is one C call for a name seen before."""

    def __init__(self, key: bytes) -> None:
        super().__init__(_NOBODY)
        self._key = key

    def __missing__(self, name: str) -> str:
        if len(self) >= _CACHE_LIMIT:
            self.clear()
            self.update(_NOBODY)
        raw = name.lower().encode("utf-8", "surrogatepass")
        pseudonym = blake2b(raw, digest_size=8, key=self._key).hexdigest()
        self[name] = pseudonym
        return pseudonym


class Pseudonyms:
    """The same key gives the same pseudonym in every import; without the key they cannot be recomputed.

    >>> Pseudonyms(b"k" * 16).of("Ada") == Pseudonyms(b"k" * 16).of("ada")
    True
    """

    def __init__(self, key: bytes) -> None:
        if not 16 <= len(key) <= 64:
            raise InvalidRules(
                "The pseudonym key must have 16 to 64 bytes. Make one with secrets.token_bytes(32)."
            )
        self._key = key
        self._known = _Known(key)

    def of(self, name: str | None) -> str | None:
        """Sixteen hex digits, or None for nobody. Case is ignored, as these platforms ignore it in names."""
        return self._known[name]

    def of_all(self, names: Iterable[str | None]) -> list[str | None]:
        return list(map(self._known.__getitem__, names))

    def hide_mentions(self, text: str) -> str:
        return _MENTION.sub(self._hide, text)

    def _hide(self, match: re.Match[str]) -> str:
        prefix = match[1] if match[1].endswith("/") else "u/"
        return f"{prefix}{self.of(match[2].replace(_ESCAPE, ''))}"

    @property
    def fingerprint(self) -> str:
        """Tells two keys apart without giving either away."""
        return blake2b(b"fingerprint", digest_size=8, key=self._key).hexdigest()
