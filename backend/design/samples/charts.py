"""The chart of a sample's page."""

from __future__ import annotations

from collections import Counter

from backend.core.web.charts import Bin, Chart, Histogram, histogram
from backend.design.samples.models import Sample

BINS = 20


def probability_chart(sample: Sample) -> Chart:
    """How the inclusion probabilities of the items are spread, in bins of equal width up to the largest."""
    values = list(sample.draws.values_list("inclusion_probability", flat=True))
    top = max(values, default=1.0)
    counts = Counter(min(int(value / top * BINS), BINS - 1) for value in values)
    width = top / BINS
    bins = tuple(Bin(index * width, (index + 1) * width, counts[index]) for index in range(BINS))
    return histogram(
        Histogram(
            title="Inclusion probabilities", bins=bins, x_label="π of the item", unit="items", wide=True
        )
    )
