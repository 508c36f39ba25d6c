"""How many items agreement is measured on: R's number, and what simulated studies find."""

import numpy as np
import pytest

from annotation.agreement.planning import (
    AgreementPlan,
    PlanImpossible,
    agreement_needs,
    cohen_q,
    fleiss_q,
    width_of,
)


def test_to_tell_kappas_apart_it_takes_as_many_items_as_in_r() -> None:
    """`irr::N.cohen.kappa(0.5, 0.5, k1=0.7, k0=0.85)` is 96, with k1 what is so: its help has it as null."""
    assert AgreementPlan(kappa=0.7, share=0.5).to_tell_from(0.85) == 96
    found = agreement_needs(AgreementPlan(kappa=0.85, share=0.5), null=0.7)
    assert (found.to_tell, found.the_other_way) == (117, 96)


@pytest.mark.parametrize(("kappa", "share"), [(0.6, 0.5), (0.7, 0.2), (0.4, 0.8)])
def test_the_variance_is_that_of_simulated_studies(kappa: float, share: float) -> None:
    rng = np.random.default_rng(1)
    chance = share**2 + (1 - share) ** 2
    observed = kappa * (1 - chance) + chance
    both = (observed - 1 + 2 * share) / 2
    joint = [both, share - both, share - both, observed - both]
    n = 400
    counts = rng.multinomial(n, joint, 20_000) / n
    one, other = counts[:, 0] + counts[:, 1], counts[:, 0] + counts[:, 2]
    by_chance = one * other + (1 - one) * (1 - other)
    kappas = (counts[:, 0] + counts[:, 3] - by_chance) / (1 - by_chance)
    assert cohen_q(kappa, share, share) == pytest.approx(n * kappas.var(), rel=0.05)


def test_more_raters_need_fewer_items_and_the_same_seed_says_the_same() -> None:
    found = [fleiss_q(0.6, 0.2, n, np.random.default_rng(1)) for n in (2, 3, 5)]
    assert found[0] > found[1] > found[2]
    assert found[0] == pytest.approx(cohen_q(0.6, 0.2, 0.2), rel=0.1)
    assert AgreementPlan(0.6, 0.2, 3).q() == AgreementPlan(0.6, 0.2, 3).q()


def test_four_times_the_items_make_an_interval_half_as_wide() -> None:
    assert width_of(0.5, 400) == pytest.approx(width_of(0.5, 100) / 2)


@pytest.mark.parametrize(
    ("plan", "null"),
    [
        (AgreementPlan(0.7, 0.5), 0.7),
        (AgreementPlan(1.0, 0.5), 0.7),
        (AgreementPlan(0.7, 0.0), 0.5),
        (AgreementPlan(0.0, 0.5, 3), None),
    ],
)
def test_what_cannot_be_planned_says_so(plan: AgreementPlan, null: float | None) -> None:
    with pytest.raises(PlanImpossible, match=r"[Gg]ive"):
        agreement_needs(plan, null=null)


def test_raters_who_differ_too_much_cannot_agree_so_well() -> None:
    with pytest.raises(PlanImpossible, match="more alike"):
        cohen_q(0.9, 0.2, 0.8)
