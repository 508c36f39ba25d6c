"""One unambiguous byte form for lists of identifiers, so that no two different lists share a hash."""

import hashlib


def netstrings(*parts: str) -> bytes:
    """Each part as its length in bytes, a colon, its UTF-8 bytes and a comma.

    >>> netstrings("ab", "c") == netstrings("a", "bc")
    False
    >>> netstrings("é", "")
    b'2:\\xc3\\xa9,0:,'
    """
    encoded = (part.encode() for part in parts)
    return b"".join(b"%d:%b," % (len(part), part) for part in encoded)


def item_id(community: str, post_id: str, reply_id: str | None) -> str:
    """The same unit has the same id in every sample; a post drawn without a reply is a unit of its own.

    >>> item_id("r/work", "p1", "c9") == item_id("r/work", "p1", None)
    False
    """
    unit = (community, post_id) if reply_id is None else (community, post_id, reply_id)
    return hashlib.blake2b(netstrings(*unit), digest_size=16, person=b"attune-item").hexdigest()
