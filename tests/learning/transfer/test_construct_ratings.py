"""Ratings of constructs: published agreement, and what is asked of tables and releases."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.errors import WrongType
from learning.transfer.construct_ratings import (
    OVERALL,
    Rating,
    aspect_means,
    measure_construct_ratings,
    read_construct_ratings,
)

# Of 18 tasks by two annotators, a digit for each task: Lahnala et al. 2024, table 2. Agreement is in their table 3.
PUBLISHED = {
    "definition": ("533542123333423435", "533552233333434535"),
    "link": ("222451133335534435", "212351123333524424"),
    "conduciveness": ("344521113332233444", "435543214444434434"),
}


def published() -> list[Rating]:
    return [
        Rating(f"task {at}", annotator, aspect, float(digit))
        for aspect, both in PUBLISHED.items()
        for annotator, digits in zip("AB", both, strict=True)
        for at, digit in enumerate(digits)
    ]


def test_published_agreement_comes_out_again() -> None:
    found = {each.aspect: each for each in measure_construct_ratings(published(), seed=1)}
    alphas = [found[name].alpha for name in (*PUBLISHED, OVERALL)]
    ranks = [found[name].spearman for name in (*PUBLISHED, OVERALL)]
    assert [round(each or 0, 2) for each in alphas] == [0.86, 0.83, 0.46, 0.72]
    assert [round(each or 0, 2) for each in ranks] == [0.91, 0.89, 0.49, 0.70]
    for each in found.values():
        assert each.alpha_low is not None and each.alpha is not None and each.alpha_high is not None
        assert each.alpha_low < each.alpha < each.alpha_high
        assert (
            each.spearman_low is not None and each.spearman is not None and each.spearman_low < each.spearman
        )
        assert each.n_tasks == 18 and each.n_annotators == 2


def test_differences_are_counted() -> None:
    found = {each.aspect: each.differences for each in measure_construct_ratings(published(), seed=1)}
    assert found["definition"] == {"0": 12, "1": 6}
    assert found["conduciveness"]["2"] == 4 and sum(found[OVERALL].values()) == 54


def test_a_table_is_read_and_averaged(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("task,annotator,definition,link\nchat,Ann,4,2\nchat,Bob,5,\nnews,Ann,1,1\n")
    ratings = read_construct_ratings(path)
    assert aspect_means(ratings) == {
        "chat": {"definition": 4.5, "link": 2.0},
        "news": {"definition": 1, "link": 1},
    }
    path.write_text("task,annotator,definition\nchat,Ann,high\n")
    with pytest.raises(WrongType, match="'high' is no rating"):
        read_construct_ratings(path)


def test_one_rater_agrees_with_nobody() -> None:
    (found,) = measure_construct_ratings([Rating(f"t{n}", "Ann", "link", float(n)) for n in range(4)], seed=1)
    assert (found.alpha, found.spearman, found.differences) == (None, None, {})
