"""Tables of ratings from the literature, whose agreement is printed there."""

from collections.abc import Sequence

N = None

# J. L. Fleiss (1971), table 1: six psychiatrists on thirty patients; how many chose each of five diagnoses.
FLEISS_1971 = (
    (0, 0, 0, 6, 0),
    (0, 3, 0, 0, 3),
    (0, 1, 4, 0, 1),
    (0, 0, 0, 0, 6),
    (0, 3, 0, 3, 0),
    (2, 0, 4, 0, 0),
    (0, 0, 4, 0, 2),
    (2, 0, 3, 1, 0),
    (2, 0, 0, 4, 0),
    (0, 0, 0, 0, 6),
    (1, 0, 0, 5, 0),
    (1, 1, 0, 4, 0),
    (0, 3, 3, 0, 0),
    (1, 0, 0, 5, 0),
    (0, 2, 0, 3, 1),
    (0, 0, 5, 0, 1),
    (3, 0, 0, 1, 2),
    (5, 1, 0, 0, 0),
    (0, 2, 0, 4, 0),
    (1, 0, 2, 0, 3),
    (0, 0, 0, 0, 6),
    (0, 1, 0, 5, 0),
    (0, 2, 0, 1, 3),
    (2, 0, 0, 4, 0),
    (1, 0, 0, 4, 1),
    (0, 5, 0, 1, 0),
    (4, 0, 0, 0, 2),
    (0, 2, 0, 4, 0),
    (1, 0, 5, 0, 0),
    (0, 0, 0, 0, 6),
)

# The worked example of Wikipedia's article on Fleiss' kappa: fourteen raters, ten items, five categories.
FLEISS_WIKIPEDIA = (
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
)

# K. Krippendorff (2011), section C: four observers, twelve units.
KRIPPENDORFF_2011 = (
    (1, 1, N, 1),
    (2, 2, 3, 2),
    (3, 3, 3, 3),
    (3, 3, 3, 3),
    (2, 2, 2, 2),
    (1, 2, 3, 4),
    (4, 4, 4, 4),
    (1, 1, 2, 1),
    (2, 2, 2, 2),
    (N, 5, 5, 5),
    (N, N, 1, 1),
    (N, 3, N, N),
)

# K. L. Gwet's example of four raters and twelve units, the same but for who rated the last one.
GWET = (*KRIPPENDORFF_2011[:-1], (N, N, 3, N))

# The worked example of Wikipedia's article on Krippendorff's alpha: three coders, fifteen units.
ALPHA_WIKIPEDIA = (
    (N, 1, N),
    (N, N, N),
    (N, 2, 2),
    (N, 1, 1),
    (N, 3, 3),
    (3, 3, 4),
    (4, 4, 4),
    (1, 3, N),
    (2, N, 2),
    (1, N, 1),
    (1, N, 1),
    (3, N, 3),
    (3, N, 3),
    (N, N, N),
    (3, N, 4),
)


def ratings_from_counts(counts: Sequence[Sequence[int]]) -> list[list[int]]:
    """Who said what does not matter to the measures that are printed with such tables."""
    return [[category for category, n in enumerate(row) for _ in range(n)] for row in counts]
