"""What the page, the calls and the terminal say about strategies, savings and advice, in words."""

from __future__ import annotations

from learning.alpha_spending import LEVEL, fine_percent
from learning.learning_curves.intervals import Interval
from learning.learning_curves.meter import MeterReading
from learning.learning_curves.savings import Savings, SavingsVerdict
from learning.learning_curves.stopping import Advice, StoppingAdvice
from learning.query_strategies.names import Aim, StrategyName

STRATEGY_WORDS: dict[StrategyName, tuple[str, str]] = {
    StrategyName.LEAST_CONFIDENCE: (
        "Least confidence",
        "Items of whose likeliest answer the model is least sure. A good first choice.",
    ),
    StrategyName.ENTROPY: ("Entropy", "Items on which the model’s probabilities are spread most evenly."),
    StrategyName.MARGIN: ("Margin", "Items on which the two likeliest answers are closest."),
    StrategyName.COMMITTEE: (
        "Committee",
        "Items on which the adapters of this edition disagree. Needs at least two.",
    ),
    StrategyName.RARE_THEMES: (
        "Rare themes",
        "Items likely to show themes of which there are few examples.",
    ),
    StrategyName.UNCERTAIN_AND_DIVERSE: (
        "Uncertain and diverse",
        "Unsure items, but not ten of the same kind.",
    ),
    StrategyName.BADGE_LIKE: (
        "BADGE-like",
        "Items that would move the model much, each in another direction.",
    ),
    StrategyName.K_CENTRE: ("k-centre", "Items that cover the pool, whatever the model thinks of them."),
    StrategyName.EXPECTED_ERROR: (
        "For estimates: expected error",
        "Items on which the model is expected to err, drawn by chance in that measure. Not to learn from: it makes"
        " shares in reports more exact for the same gold. Best with a random share of 50%.",
    ),
    StrategyName.RANDOM: ("Random", "Chance alone: needs no model, and is what all others have to beat."),
}


AIM_WORDS = {
    Aim.LEARN: "To learn from: chosen so that a model learns most.",
    Aim.ESTIMATE: "To estimate with: chosen so that shares in reports become more exact.",
    None: "To learn from and to estimate with: dealt by chance alone.",
}


def points(value: float) -> str:
    """In hundredths, as scores are read.

    >>> points(0.0213), points(-0.4)
    ('+2.1', '-40.0')
    """
    return f"{100 * value:+.1f}"


def interval_words(interval: Interval) -> str:
    """
    >>> interval_words(Interval(0.02, -0.01, 0.05))
    '+2.0 points (95% interval -1.0 to +5.0)'
    """
    if interval.low is None or interval.high is None:
        return f"{points(interval.value)} points"
    low, high = points(interval.low), points(interval.high)
    return f"{points(interval.value)} points ({100 * interval.confidence:.4g}% interval {low} to {high})"


def savings_headline(savings: Savings) -> str:
    return {
        SavingsVerdict.GAINED: "Active learning has gained something",
        SavingsVerdict.LOST: "Active learning has cost something",
        SavingsVerdict.NOTHING_SHOWN: "No gain can be shown so far",
    }[savings.verdict]


def savings_words(savings: Savings) -> str:
    """What was compared, and how large the difference is."""
    gain = (
        f"With {savings.at_labels:,} labels each, the fast model that learned from your mix of chosen and random items "
        f"scores {interval_words(savings.gain)} against the one that learned from random items alone."
    )
    return f"{gain} {labels_words(savings)}"


def labels_words(savings: Savings) -> str:
    """In labels; what lies outside of what was tried is said to."""
    labels = savings.labels
    if labels.mixed is None:
        return "How many labels that is worth cannot be read from these curves: it lies outside of what was tried."
    low = f"{labels.low:,.0f}" if labels.low is not None else f"fewer than {savings.mixed[0].n_labels:,}"
    high = f"{labels.high:,.0f}" if labels.high is not None else f"more than {savings.mixed[-1].n_labels:,}"
    return (
        f"What {labels.random:,} random labels give, about {labels.mixed:,.0f} of the mix give "
        f"({100 * savings.gain.confidence:.4g}% interval: {low} to {high})."
    )


def look_words(look: int) -> str:
    """Why the intervals are wider than 95%."""
    return (
        f"This is reading {look} on about these labels. All readings together may claim something by chance in at most "
        f"{fine_percent(LEVEL)} of studies, so each has wider intervals than the one before, until there are twice as "
        "many labels."
    )


def advice_headline(advice: StoppingAdvice) -> str:
    return {
        Advice.STOP: "More labels will hardly help: you can stop",
        Advice.GO_ON: "More labels still help: go on",
        Advice.CANNOT_SAY: "It cannot be said yet whether more labels help",
    }[advice.advice]


def advice_words(advice: StoppingAdvice) -> str:
    expected = (
        f"With {advice.n_labels:,} labels, the next {advice.n_next:,} are expected to add at most "
        f"{interval_words(advice.gain)} to the fast model."
    )
    bar = f"{100 * advice.worthwhile:g} point{'' if advice.worthwhile == 0.01 else 's'}"
    return {
        Advice.STOP: f"{expected} Even the upper end is below {bar}.",
        Advice.GO_ON: f"{expected} That is {bar} or more, and clearly above nothing.",
        Advice.CANNOT_SAY: f"{expected} The interval allows more and less than {bar}: annotate on, then look again.",
    }[advice.advice]


def reading_lines(reading: MeterReading) -> list[str]:
    """For a terminal."""
    savings, advice = reading.savings, reading.advice
    found = [
        f"{reading.n_items:,} labelled items, {reading.n_random:,} brought by chance and {reading.n_chosen:,} by a "
        f"strategy; {reading.n_gold:,} may measure and say as much as {reading.n_effective:,.0f} of equal weight.",
    ]
    found += (
        [f"{savings_headline(savings)}.", savings_words(savings)] if savings else [reading.savings_reason]
    )
    found += [f"{advice_headline(advice)}.", advice_words(advice)] if advice else [reading.advice_reason]
    return [*found, look_words(reading.look)] if reading.claims_something else found
