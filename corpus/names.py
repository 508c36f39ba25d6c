"""Names that become directories are checked here, so that no dump can write outside its corpus."""

import re

from corpus.errors import InvalidName

NAME_PATTERN = r"[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9_-])?"
_NAME = re.compile(NAME_PATTERN)


def checked_name(kind: str, name: str) -> str:
    """The name itself if it is safe as a directory name.

    >>> checked_name("community", "Parenting")
    'Parenting'
    """
    if not _NAME.fullmatch(name):
        raise InvalidName(kind, name)
    return name
