"""The data card says what is so, and can be read back to be shown."""

from __future__ import annotations

from dataclasses import replace

import yaml
from hypothesis import given
from hypothesis import strategies as st

from annotation.agreement.values import Estimate
from annotation.release.card import data_card
from annotation.release.card_blocks import (
    Block,
    Bullets,
    Heading,
    Paragraph,
    Table,
    from_markdown,
    to_markdown,
)
from annotation.release.card_facts import AgreementFact, AgreementRow
from annotation.release.files import Release
from tests.annotation.release.scene import PRACTICES, judged, release_of, said, small_release


def card_of(release: Release) -> str:
    return data_card(release.facts, release.counts, release.table())


def test_the_header_names_the_files_of_each_part() -> None:
    card = card_of(small_release())
    header = yaml.safe_load(card.split("---\n")[1])
    assert header["configs"] == [
        {
            "config_name": "default",
            "data_files": [
                {"split": part, "path": f"data/{part}.parquet"} for part in ("train", "validation", "test")
            ],
        }
    ]
    assert header["language"] == ["en"]
    assert header["license"] == "unknown"


def test_an_empty_part_is_not_promised() -> None:
    values = {code.id: 0 for _, code in PRACTICES.coded_questions()}
    card = card_of(release_of([judged("i", {"a": said(values)})]))
    header = yaml.safe_load(card.split("---\n")[1])
    assert [entry["split"] for entry in header["configs"][0]["data_files"]] == ["train"]


def test_the_card_says_what_is_missing() -> None:
    card = card_of(small_release())
    for fact in (
        "No licence was given",
        "No report on agreement was there",
        "with a flag that nobody settled: 2",
        "Only 20 of the 100 items of the sample",
        "rest on few cases: Asking advice (1.0%).",
        "2 annotators judged the items",
        f"Frame of “Main”: sha256 {'0' * 64}",
    ):
        assert fact in card
    assert "older codebook" not in card


def test_the_card_says_what_is_there() -> None:
    estimate = Estimate(0.43, 0.3, 0.5, 20, 3, "")
    rows = (AgreementRow("Asking advice", estimate, estimate, None, estimate, 20, "Rare."),)
    values = {code.id: 0 for _, code in PRACTICES.coded_questions()}
    items = [judged(f"i{number}", {"a": said(values)}) for number in range(5)]
    release = release_of(items, agreement=(AgreementFact("Batch 1", False, rows),), newest=2)
    card = card_of(release)
    assert "0.43 \\[0.30, 0.50\\]" in card
    assert "Asking advice: Rare." in card
    assert "Made under an older codebook: edition 1, while edition 2 was the newest" in card
    licensed = replace(small_release(with_texts=True))
    assert "CC BY 4.0" in card_of(licensed)
    assert "people's own words" in card_of(licensed)


words = (
    st.text(st.sampled_from("ab |*_<>#\\-1.:[]&$~`é😀"), min_size=1, max_size=12)
    .map(lambda text: " ".join(text.split()))
    .filter(bool)
)
blocks = st.one_of(
    st.builds(Heading, st.integers(1, 6), words),
    st.builds(Paragraph, words),
    st.builds(Bullets, st.lists(words, min_size=1, max_size=3).map(tuple)),
    st.builds(
        Table,
        st.tuples(words, words),
        st.lists(st.tuples(words, words), min_size=1, max_size=3).map(tuple),
        st.integers(1, 2),
    ),
)


@given(st.lists(blocks, min_size=1, max_size=5))
def test_what_is_written_is_read_back(written: list[Block]) -> None:
    assert list(from_markdown(to_markdown(written))) == written
    assert list(from_markdown(f"---\npretty_name: x\n---\n\n{to_markdown(written)}")) == written
