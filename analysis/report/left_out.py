"""Why gold that a release has cannot correct, in words."""

from analysis.report.facts import GoldLeftOut
from analysis.report.wording import in_order


def left_out_words(each: GoldLeftOut) -> str:
    """
    >>> from codebook.schema import Part
    >>> left_out_words(GoldLeftOut(part=Part.POST, n_seen=1200, n_undrawn=3))
    '1,200 that the model had learned from and 3 of which it is not known how probable they were'
    """
    reasons = (
        (each.n_seen, "that the model had learned from"),
        (each.n_suggested, "judged with a model's suggestions in view"),
        (each.n_undrawn, "of which it is not known how probable they were"),
    )
    return in_order([f"{n:,} {reason}" for n, reason in reasons if n])
