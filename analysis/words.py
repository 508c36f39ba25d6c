"""Numbers and names as people say them, for the sentence of every finding."""

from collections.abc import Sequence

# Conventional bounds of correlations and of V: Cohen 1988, Statistical Power Analysis, ch. 3 and 7.
_SMALL, _MIDDLE, _LARGE = 0.1, 0.3, 0.5


def percent(share: float) -> str:
    """
    >>> percent(0.4526)
    '45.3%'
    """
    return f"{100 * share:.1f}%"


def points(difference: float) -> str:
    """
    >>> points(0.0922), points(-0.013)
    ('9.2 percentage points more', '1.3 percentage points less')
    """
    return f"{abs(100 * difference):.1f} percentage points {'less' if difference < 0 else 'more'}"


def strength(value: float | None, symbol: str = "V") -> str:
    """
    >>> strength(0.36), strength(-0.15, "r"), strength(0.02), strength(None)
    ('moderately (V = 0.36)', 'weakly (r = -0.15)', 'hardly at all (V = 0.02)', 'to an extent that is not defined')
    """
    if value is None:
        return "to an extent that is not defined"
    size = abs(value)
    word = (
        "strongly"
        if size >= _LARGE
        else "moderately"
        if size >= _MIDDLE
        else "weakly"
        if size >= _SMALL
        else "hardly at all"
    )
    return f"{word} ({symbol} = {value:.2f})"


def some_of(names: Sequence[str], most: int) -> str:
    """The first so many, and how many more there are.

    >>> some_of(["a"], 3), some_of(["a", "b", "c"], 3), some_of(["a", "b", "c"], 1)
    ('a', 'a, b and c', 'a and 2 more')
    """
    shown = list(names[:most])
    if more := len(names) - len(shown):
        shown.append(f"{more} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
