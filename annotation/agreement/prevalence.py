"""Warns where kappa misleads: with one answer for nearly everything, chance agreement eats up what is left.

A high observed agreement can then go with a low kappa (Feinstein & Cicchetti 1990, Journal of Clinical Epidemiology 43,
543–549); Gwet's AC1 was made for this case (Gwet 2008, British Journal of Mathematical and Statistical Psychology 61).
"""

from annotation.agreement.values import JudgedCode, RatingsAgreement

# A code in fewer than 5 of 100 ratings, or missing from as few, leaves too little to disagree on.
RARE = 0.05
# A kappa from fewer items with a rare answer says little by itself: its interval reaches from next to nothing to nearly
# complete agreement.
LEAST_RARE_ITEMS = 10
_HIGH_AGREEMENT = 0.8
_LOW_KAPPA = 0.4
_GAP_TO_AC1 = 0.2


def found_share(code: JudgedCode, ratings: RatingsAgreement) -> float | None:
    """The share of ratings that find the code; None for rating scales, where no answer says so."""
    if not code.present or not ratings.n_ratings:
        return None
    return sum(each.n for each in ratings.prevalence if each.value in code.present) / ratings.n_ratings


def prevalence_warning(code: JudgedCode, ratings: RatingsAgreement) -> str:
    """Empty where kappa can be read as it is."""
    if not ratings.n_ratings:
        return ""
    share = found_share(code, ratings)
    most = max(each.share for each in ratings.prevalence)
    if share is not None and share < RARE:
        return _sentence(f"This code is found in only {share:.1%} of the ratings", ratings)
    if share is not None and share > 1 - RARE:
        return _sentence(f"This code is found in {share:.1%} of the ratings", ratings)
    if most > 1 - RARE:
        return _sentence(f"One answer makes up {most:.1%} of the ratings", ratings)
    raw, kappa, ac1 = (ratings[name].value for name in ("raw_agreement", "fleiss_kappa", "gwet_ac1"))
    if raw is None or kappa is None or ac1 is None:
        return ""
    if raw >= _HIGH_AGREEMENT and kappa < _LOW_KAPPA and ac1 - kappa >= _GAP_TO_AC1:
        return _sentence(f"Raters agree on {raw:.0%} of the comparisons although kappa is low", ratings)
    return ""


def _sentence(fact: str, ratings: RatingsAgreement) -> str:
    numbers = ", ".join(
        f"{name} {'undefined' if value is None else format(value, '.2f')}"
        for name, value in (
            ("raw agreement", ratings["raw_agreement"].value),
            ("kappa", ratings["fleiss_kappa"].value),
            ("AC1", ratings["gwet_ac1"].value),
        )
    )
    said = f"{fact}, and kappa misleads when answers are so uneven: read it beside AC1 ({numbers})."
    return " ".join(filter(None, (said, rests_on_few_items(ratings))))


def rests_on_few_items(ratings: RatingsAgreement) -> str:
    """Why the value of a kappa or alpha says little by itself; empty where it does not."""
    n = ratings["raw_agreement"].n_items
    rare = 1 - max((each.share for each in ratings.prevalence), default=1.0)
    if not n or rare >= RARE or n * rare >= LEAST_RARE_ITEMS:
        return ""
    return (
        f"About {n * rare:.0f} of {n:,} items have another answer than the commonest: a kappa or alpha from so few"
        f" is to be read by its interval; below {LEAST_RARE_ITEMS}, a theme is not trusted on the value alone."
    )
