"""Which posts are judged blind: by chance, sealed before anybody sees an item, the same for a seed on every machine.

Whole posts are drawn and not items. Replies under one post share its text, and often its annotator: a suggestion on the
post's own codes would be remembered when the next reply under it comes blind. Splits and intervals go by posts too.
"""

import hashlib
import math
from collections.abc import Collection, Mapping

from annotation.assignment import choose_items, falls_within
from corpus.sampling.encoding import netstrings
from learning.prelabel_experiment.values import Condition


class ShareOutOfReach(ValueError):
    def __init__(self, share: float) -> None:
        super().__init__(f"{share:g} of the posts cannot be blind: give a share from 0 to 1.")


def draw_conditions(
    posts: Collection[str], *, share: float, seed: int, drawn: Mapping[str, Condition]
) -> dict[str, Condition]:
    """A condition for every post. Those that were drawn before keep theirs; of the others, this share is blind.

    Where the share is no whole number of posts, chance decides about one more, so that every post is blind with
    exactly this probability.

    >>> found = draw_conditions(["p1", "p2", "p3", "p4", "p5"], share=0.4, seed=7, drawn={"p5": Condition.SUGGESTED})
    >>> [post for post, condition in found.items() if condition is Condition.BLIND]
    ['p4']
    """
    if not 0 <= share <= 1:
        raise ShareOutOfReach(share)
    key = _own_seed(seed)
    new = sorted(set(posts) - drawn.keys())
    whole = math.floor(share * len(new) + 1e-9)
    one_more = falls_within(" ".join(new), share * len(new) - whole, key, "one more blind post")
    blind = set(choose_items(new, whole + one_more, key))
    fresh = {post: Condition.BLIND if post in blind else Condition.SUGGESTED for post in new}
    return {post: drawn[post] if post in drawn else fresh[post] for post in sorted(set(posts))}


def _own_seed(seed: int) -> int:
    """Apart from the dealing's, which chose with the same seed which items are here."""
    digest = hashlib.blake2b(netstrings("attune-arms-1", str(seed)), digest_size=8).digest()
    return int.from_bytes(digest) >> 1
