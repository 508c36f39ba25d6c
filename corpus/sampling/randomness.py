"""Random numbers that belong to a unit and a seed, and come out the same on every machine and version.

A generator's stream may change between library versions and depends on the order of the rows. A keyed hash
(BLAKE2b, RFC 7693) of the unit's identifiers does neither.
"""

import hashlib
import heapq
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass

from corpus.sampling.designs import PostKey
from corpus.sampling.encoding import netstrings
from corpus.sampling.errors import InvalidSeed


def draw_key(seed: int, excluded: Set[PostKey]) -> bytes:
    """The key of one draw.

    What was excluded is part of it: a second sample that reused the numbers of the first would be drawn from
    posts whose numbers are known to have lost, so that its stated probabilities need not hold.
    """
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**63:
        raise InvalidSeed(seed)
    digest = hashlib.blake2b(netstrings("attune-draw-1", str(seed)), digest_size=32)
    for community, post_id in sorted(excluded):
        digest.update(netstrings(community, post_id))
    return digest.digest()


@dataclass(frozen=True)
class RandomNumbers:
    """The random numbers of one community in one draw; numbers for different purposes are independent."""

    key: bytes
    kind: str
    community: str

    def numbering(self, purpose: str) -> Callable[..., bytes]:
        """A function from a unit's identifiers to its number, 128 bits that compare like an integer."""
        start = hashlib.blake2b(netstrings(self.kind, purpose, self.community), key=self.key, digest_size=16)

        def number(*unit: str) -> bytes:
            digest = start.copy()
            digest.update(netstrings(*unit))
            return digest.digest()

        return number

    def below(self, limit: int, purpose: str) -> int:
        """A whole number in [0, limit); 512 bits leave a bias below 2**-400 for any limit under 2**100."""
        text = netstrings(self.kind, purpose, self.community)
        return int.from_bytes(hashlib.blake2b(text, key=self.key, digest_size=64).digest(), "big") % limit

    def smallest(self, n: int, units: Iterable[tuple[str, ...]], purpose: str) -> list[tuple[str, ...]]:
        """The n units with the smallest numbers: a simple random sample without replacement."""
        number = self.numbering(purpose)
        return [unit for _, unit in heapq.nsmallest(n, ((number(*unit), unit) for unit in units))]
