"""The test on tables whose answer can be worked out by hand, and its parts against scipy and statsmodels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t, ttest_1samp
from statsmodels.stats.multitest import fdrcorrection

from learning.alternative_annotator.procedure import alt_test, benjamini_yekutieli, not_worse_p
from learning.alternative_annotator.scores import mean_token_f1, minus_rmse, share_equal
from tests.examples import examples

Table = dict[str, dict[str, str]]


def rows(*blocks: tuple[int, str]) -> Sequence[str]:
    """Each block is how many items have these labels, one letter an annotator, the model's last."""
    return [labels for n, labels in blocks for _ in range(n)]


def tables(
    labels: Sequence[str], names: Sequence[str] = ("Ada", "Ben", "Cleo")
) -> tuple[Table, dict[str, str]]:
    annotations = {
        f"{at:03}": {name: said for name, said in zip(names, row[:-1], strict=True) if said != "-"}
        for at, row in enumerate(labels)
    }
    return annotations, {f"{at:03}": row[-1] for at, row in enumerate(labels)}


def test_a_table_worked_out_by_hand() -> None:
    """Of 40 items all say a on 30, where everybody ties. On 4 Ada alone says b, on 4 Ben alone, on 2 the model alone.

    Against Ada: she loses 4 (W_f = 1, W_h = 0), wins 2 and ties on 34; on the 4 where Ben errs the others split, and
    both score a half. Ben is her mirror. Cleo never errs: she wins 2, and ties on the rest.
    """
    annotations, model = tables(rows((30, "aaaa"), (4, "baaa"), (4, "abaa"), (2, "aaab")))
    found = alt_test(annotations, model, share_equal, epsilon=0.1)
    assert [(each.annotator, each.n) for each in found.tested] == [("Ada", 40), ("Ben", 40), ("Cleo", 40)]
    assert [each.advantage for each in found.tested] == [38 / 40] * 3
    assert [each.disadvantage for each in found.tested] == [36 / 40, 36 / 40, 1.0]
    # d of Ada: -1 four times, 1 twice: mean -.05, sum of squares 6 - 40 · .05² = 5.9, t = -.15 / √(5.9 / 39 / 40)
    p_of_ada = t.cdf(-0.15 / np.sqrt(5.9 / 39 / 40), 39)
    # d of Cleo: 1 twice: mean .05, sum of squares 2 - 40 · .05² = 1.9
    p_of_cleo = t.cdf(-0.05 / np.sqrt(1.9 / 39 / 40), 39)
    assert [each.p for each in found.tested] == pytest.approx([p_of_ada, p_of_ada, p_of_cleo])
    # H_3 = 11/6: the two equal ones at rank 2 give 3 · 11/6 / 2 = 2.75 times p, Cleo's 11/6 times hers
    assert [each.p_adjusted for each in found.tested] == pytest.approx(
        [2.75 * p_of_ada, 2.75 * p_of_ada, 11 / 6 * p_of_cleo]
    )
    assert [each.rejected for each in found.tested] == [True, True, False]
    assert found.winning_rate == pytest.approx(2 / 3)
    assert found.advantage_probability == pytest.approx(0.95)
    assert found.passes


def test_an_annotator_who_stands_out_pulls_only_their_own_comparison() -> None:
    """j's own label never counts among the others: a model that copies Cleo, who always differs, wins only where Cleo
    is one of the others, and there it ties with her mirror."""
    annotations, model = tables(rows((40, "aabb")))
    found = {each.annotator: each for each in alt_test(annotations, model, share_equal, epsilon=0.2).tested}
    # The others of Ada are Ben (a) and Cleo (b): she and the model score a half. Those of Cleo both say a: neither
    # scores.
    assert all(found[name].advantage == found[name].disadvantage == 1 for name in ("Ada", "Ben", "Cleo"))


def test_who_has_too_few_items_is_left_out_and_named() -> None:
    annotations, model = tables(rows((29, "aaaa"), (10, "aa-a"), (5, "a--a")))
    del model["043"], model["000"]
    found = alt_test(annotations, model, share_equal, epsilon=0.1)
    # Of 44 items five have Ada alone and one of those no label of the model; another lost its label too.
    assert (found.n_items, found.n_dropped) == (38, 6)
    assert found.left_out == (("Cleo", 28),)
    assert [(each.annotator, each.n) for each in found.tested] == [("Ada", 38), ("Ben", 38)]


def test_nobody_to_test_is_no_verdict() -> None:
    annotations, model = tables(rows((12, "aaaa")))
    found = alt_test(annotations, model, share_equal, epsilon=0.1)
    assert (found.winning_rate, found.advantage_probability, found.passes) == (None, None, None)


def test_the_same_epsilon_below_thirty_items_asks_wilcoxon() -> None:
    annotations, model = tables(rows((10, "baaa")))
    found = alt_test(annotations, model, share_equal, epsilon=0.1, least_items=10)
    ada = found.tested[0]
    assert (ada.n, ada.advantage, ada.disadvantage) == (10, 1.0, 0.0)
    assert ada.p == pytest.approx(1 / 2**10)


def test_items_that_repeat_each_other_are_worth_one() -> None:
    """Every item ten times over, in one post: by item that looks like ten times the evidence, by post it is none."""
    once = rows((18, "aaaa"), (2, "aaab"), (12, "baaa"))
    annotations, model = tables(once)
    many, of_many = tables([row for row in once for _ in range(10)])
    posts = {f"{at:03}": str(at // 10) for at in range(len(many))}
    single = alt_test(annotations, model, share_equal, epsilon=0.1)
    clustered = alt_test(many, of_many, share_equal, epsilon=0.1, clusters=posts)
    assert [each.p for each in clustered.tested] == pytest.approx([each.p for each in single.tested])
    assert [each.n_clusters for each in clustered.tested] == [32] * 3
    by_item = alt_test(many, of_many, share_equal, epsilon=0.1)
    assert by_item.tested[2].p < clustered.tested[2].p / 2


def test_one_post_alone_proves_nothing() -> None:
    annotations, model = tables(rows((40, "baaa")))
    found = alt_test(
        annotations, model, share_equal, epsilon=0.1, clusters=dict.fromkeys(annotations, "post")
    )
    assert [each.p for each in found.tested] == [1.0] * 3
    assert found.passes is False


def test_labels_that_are_equally_far_off_tie() -> None:
    """1/3 + 1/3 + .1 and .1 + 1/3 + 1/3 differ as floats are added; exactly added they do not."""
    assert minus_rmse(0.0, [0.1, 0.7, 1.3]) == minus_rmse(0.0, [1.3, 0.1, 0.7])
    assert mean_token_f1(
        frozenset({1}), [frozenset({1, 2}), frozenset({2}), frozenset({1})]
    ) == pytest.approx(5 / 9)


outcomes = st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=30, max_size=60).filter(
    lambda d: len(set(d)) > 1
)


@settings(max_examples=examples(40))
@given(outcomes, st.sampled_from([0.1, 0.15, 0.2]))
def test_the_p_value_is_scipys(d: list[float], epsilon: float) -> None:
    assert not_worse_p(np.array(d), epsilon, None) == pytest.approx(
        ttest_1samp(d, epsilon, alternative="less").pvalue
    )


@settings(max_examples=examples(40))
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_the_adjustment_is_statsmodels(p_values: list[float]) -> None:
    assert benjamini_yekutieli(p_values) == pytest.approx(fdrcorrection(p_values, method="n")[1])
