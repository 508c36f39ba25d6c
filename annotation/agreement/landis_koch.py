"""The bands of Landis and Koch: names for how high a kappa is."""

from enum import StrEnum


class Band(StrEnum):
    """Landis & Koch (1977), Biometrics 33, 159–174; by their own account arbitrary, so they name and prove nothing."""

    POOR = "poor"
    SLIGHT = "slight"
    FAIR = "fair"
    MODERATE = "moderate"
    SUBSTANTIAL = "substantial"
    ALMOST_PERFECT = "almost perfect"

    @property
    def bounds(self) -> tuple[float, float]:
        """From the lower bound, itself included except at 0, up to the upper one; the last band includes 1."""
        return _BOUNDS[self]


# They print 0.00–0.20, 0.21–0.40 and so on; a band begins with the first of its two-digit numbers, as rules on
# "at least 0.61" do.
_BOUNDS = {
    Band.POOR: (-1.0, 0.0),
    Band.SLIGHT: (0.0, 0.21),
    Band.FAIR: (0.21, 0.41),
    Band.MODERATE: (0.41, 0.61),
    Band.SUBSTANTIAL: (0.61, 0.81),
    Band.ALMOST_PERFECT: (0.81, 1.0),
}


def band_of(value: float) -> Band:
    """The band that a kappa lies in.

    >>> [band_of(value).value for value in (-0.1, 0, 0.43, 0.605, 0.61, 1)]
    ['poor', 'slight', 'moderate', 'moderate', 'substantial', 'almost perfect']
    """
    return next(band for band in reversed(Band) if band is Band.POOR or value >= band.bounds[0])
