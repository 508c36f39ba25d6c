"""Draws posts in proportion to (replies + 1), and then a reply of each."""

from fractions import Fraction

from corpus.sampling.frame import CommunityFrame
from corpus.sampling.pps import PpsPlan, plan_pps, select_systematic
from corpus.sampling.randomness import RandomNumbers
from corpus.sampling.sample import DrawnItem, drawn_item


def draw_pps_posts(community: CommunityFrame, n: int, numbers: RandomNumbers) -> list[DrawnItem]:
    """The size is n_replies + 1, so that a post without replies can be drawn too."""
    post_ids: list[str] = community.posts["post_id"].to_list()
    plan = plan_pps([n_replies + 1 for n_replies in community.posts["n_replies"].to_list()], n)
    probabilities = {post_ids[i]: plan.probability(i) for i in _select(plan, post_ids, numbers)}
    items = []
    for post_id, reply_ids in community.replies_of(probabilities).items():
        reply_id, given_post = _one_reply(post_id, reply_ids, numbers)
        items.append(drawn_item(community.name, post_id, reply_id, probabilities[post_id], given_post))
    return items


def _select(plan: PpsPlan, post_ids: list[str], numbers: RandomNumbers) -> list[int]:
    if plan.n_drawn == 0:
        return sorted(plan.certain)
    number = numbers.numbering("order")
    order = sorted(range(len(post_ids)), key=lambda i: (number(post_ids[i]), i))
    return select_systematic(plan, order, numbers.below(plan.total, "start"))


def _one_reply(post_id: str, reply_ids: list[str], numbers: RandomNumbers) -> tuple[str | None, Fraction]:
    if not reply_ids:
        return None, Fraction(1)
    [(_, reply_id)] = numbers.smallest(1, ((post_id, reply_id) for reply_id in reply_ids), "reply")
    return reply_id, Fraction(1, len(reply_ids))
