"""The measures are those that the literature prints."""

import pytest

from annotation.agreement.values import MeasurementLevel
from tests.annotation.agreement.measured import Rows, measured
from tests.annotation.agreement.published_tables import (
    ALPHA_WIKIPEDIA,
    FLEISS_1971,
    FLEISS_WIKIPEDIA,
    GWET,
    KRIPPENDORFF_2011,
    ratings_from_counts,
)


def test_fleiss_on_thirty_patients() -> None:
    found = measured(ratings_from_counts(FLEISS_1971))
    assert found["fleiss_kappa"].value == pytest.approx(0.430, abs=5e-4)
    assert found["raw_agreement"].value == pytest.approx(0.556, abs=5e-4)
    assert (found["fleiss_kappa"].n_items, found["fleiss_kappa"].n_raters) == (30, 6)
    assert found["fleiss_kappa"].note == "No resamples, so no interval."


def test_fleiss_on_the_example_of_wikipedia() -> None:
    found = measured(ratings_from_counts(FLEISS_WIKIPEDIA))
    assert found["fleiss_kappa"].value == pytest.approx(0.210, abs=5e-4)
    assert found["raw_agreement"].value == pytest.approx(0.378, abs=5e-4)


@pytest.mark.parametrize(
    ("rows", "level", "expected"),
    [
        (KRIPPENDORFF_2011, MeasurementLevel.NOMINAL, 0.743),
        (KRIPPENDORFF_2011, MeasurementLevel.ORDINAL, 0.815),
        (KRIPPENDORFF_2011, MeasurementLevel.INTERVAL, 0.849),
        (ALPHA_WIKIPEDIA, MeasurementLevel.NOMINAL, 0.691),
        (ALPHA_WIKIPEDIA, MeasurementLevel.INTERVAL, 0.811),
    ],
)
def test_alpha_with_gaps(rows: Rows, level: MeasurementLevel, expected: float) -> None:
    assert measured(rows, level=level)["krippendorff_alpha"].value == pytest.approx(expected, abs=5e-4)


def test_gwet_on_four_raters_with_gaps() -> None:
    found = measured(GWET)
    assert found["gwet_ac1"].value == pytest.approx(0.77544, abs=5e-6)
    assert found["fleiss_kappa"].value == pytest.approx(0.76117, abs=5e-6)
    assert found["krippendorff_alpha"].value == pytest.approx(0.74342, abs=5e-6)
    assert found["raw_agreement"].value == pytest.approx(0.81818, abs=5e-6)


def test_what_gaps_cost_is_said() -> None:
    found = measured(ALPHA_WIKIPEDIA)
    assert found["krippendorff_alpha"].n_items == 12
    assert found["krippendorff_alpha"].note.startswith(
        "3 of 15 items have fewer than two ratings and are left out."
    )
    assert "every rating weighs the same" in found["krippendorff_alpha"].note
    assert "An item with one rating still tells how common" in found["fleiss_kappa"].note
    assert (found.n_ratings, found.n_gaps) == (27, 18)
