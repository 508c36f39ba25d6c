"""Shares under a new edition are right on average, whatever the old labels are worth, and say how sure they are."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.edition_bridge import (
    EditionBridge,
    LabelledItems,
    NoProbability,
    NothingJudgedAgain,
    SameEdition,
    bridge_editions,
)
from annotation.release.labels import final_labels
from annotation.release.rows import ReleaseRow, SplitPart
from codebook.schema import Codebook
from tests.annotation.release.fixtures import PRACTICES, RULES, editions, judged, said
from tests.codebook.test_recoding import ADVICE, merged, split, with_codes

SPLIT, MERGED = with_codes(PRACTICES, split), with_codes(PRACTICES, merged)
TO_DO = "asking-what-to-do"
ITEMS = 400


def released(
    codebook: Codebook, values: dict[str, dict[str, int]], under: Codebook | None = None
) -> LabelledItems:
    """`values` by item and code, said by one annotator under an edition."""
    items = [judged(item, {"ann": said(given)}, codebook=under or codebook) for item, given in values.items()]
    labels = final_labels(items, codebook, editions(codebook, under or codebook), RULES).by_item
    rows = [ReleaseRow(one.item, SplitPart.TRAIN, labels[one.item.item_id]) for one in items]
    return LabelledItems(codebook, rows)


ASKS = [at % 5 < 2 for at in range(ITEMS)]
OLD = released(PRACTICES, {f"i{at}": {ADVICE: int(asks)} for at, asks in enumerate(ASKS)})


def bridged(seed: int, drawn: int) -> EditionBridge:
    """Of 400 items 40% ask for advice, and four in five of these for what to do: 32% in all."""
    chosen = np.random.default_rng(seed).choice(ITEMS, size=drawn, replace=False)
    to_do = {at: ASKS[at] and at % 25 > 4 for at in chosen}
    new = {
        f"i{at}": {TO_DO: int(is_so), "asking-who-is-right": int(ASKS[at] and not is_so)}
        for at, is_so in to_do.items()
    }
    return bridge_editions(OLD, released(SPLIT, new))


def test_a_split_code_is_estimated_without_bias_and_more_surely_than_from_the_sample_alone() -> None:
    held, values, narrower = 0, [], 0
    for seed in range(20):
        found = next(each for each in bridged(seed, 120).codes if each.code.id == TO_DO)
        assert found.is_split
        assert found.formerly == (ADVICE,)
        alone, corrected = found.ways["gold_only"].estimate, found.ways["corrected"].estimate
        assert alone.low is not None and alone.high is not None
        assert corrected.value is not None and corrected.low is not None and corrected.high is not None
        held += corrected.low <= 0.32 <= corrected.high
        narrower += corrected.high - corrected.low < alone.high - alone.low
        values.append(corrected.value)
    assert np.mean(values) == pytest.approx(0.32, abs=0.015)
    assert held >= 17
    assert narrower == 20


def test_how_much_has_to_be_judged_again_follows_the_width() -> None:
    found = next(each for each in bridged(1, 120).codes if each.code.id == TO_DO)
    corrected = found.ways["corrected"].estimate
    assert corrected.low is not None and corrected.high is not None
    assert found.needed == int(np.ceil(120 * ((corrected.high - corrected.low) / 0.1) ** 2))


def test_labels_that_were_carried_over_are_no_gold() -> None:
    old = released(PRACTICES, {f"i{at}": {ADVICE: at % 2} for at in range(20)})
    carried = released(SPLIT, {f"i{at}": {ADVICE: at % 2} for at in range(20)}, under=PRACTICES)
    with pytest.raises(NothingJudgedAgain):
        bridge_editions(old, carried)


def test_what_cannot_be_bridged_is_said() -> None:
    old = released(PRACTICES, {f"i{at}": {ADVICE: at % 2} for at in range(20)})
    with pytest.raises(SameEdition):
        bridge_editions(old, old)
    new = released(MERGED, {"i1": {"asking": 1}})
    with pytest.raises(NoProbability, match="i1"):
        bridge_editions(old, new, probabilities={"i2": 0.5})
