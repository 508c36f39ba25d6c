"""The data card says what is so, and can be read back to be shown."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import yaml
from hypothesis import given
from hypothesis import strategies as st

from annotation.agreement.registry import short_table_statistics
from annotation.agreement.values import Estimate
from annotation.consensus.values import Method
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
from tests.annotation.release.fixtures import (
    PRACTICES,
    REQUEST,
    RULES,
    judged,
    release_of,
    said,
    small_release,
)


def test_the_header_names_the_files_of_each_part() -> None:
    card = small_release().card()
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
    card = release_of([judged("i", {"a": said(values)})]).card()
    header = yaml.safe_load(card.split("---\n")[1])
    assert [entry["split"] for entry in header["configs"][0]["data_files"]] == ["train"]


def test_the_card_says_what_is_missing() -> None:
    card = small_release().card()
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
    estimates = dict.fromkeys(("fleiss_kappa", "krippendorff_alpha", "raw_agreement"), estimate)
    rows = (AgreementRow("Asking advice", estimates, 20, "Rare."),)
    values = {code.id: 0 for _, code in PRACTICES.coded_questions()}
    items = [judged(f"i{number}", {"a": said(values)}) for number in range(5)]
    release = release_of(
        items, agreement=(AgreementFact("Batch 1", False, rows, "equal to 1e-12"),), newest=2
    )
    card = release.card()
    assert "0.43 \\[0.30, 0.50\\]" in card
    assert "Asking advice: Rare." in card
    assert "Krippendorff’s alpha: equal to 1e-12." in card
    heads = [each.label.replace("'", "’").lower() for each in short_table_statistics()]
    assert f"| theme | {' | '.join(heads)} | items |" in card.lower()
    assert "Made under an older codebook: edition 1, while edition 2 was the newest" in card
    licensed = small_release(with_texts=True)
    assert "CC BY 4.0" in licensed.card()
    assert "people's own words" in licensed.card()


def test_the_card_says_how_disagreements_were_settled() -> None:
    values = {code.id: 0 for _, code in PRACTICES.coded_questions()}
    first = next(iter(values))
    items = [judged(f"i{n}", {"a": said(values), "b": said(values | {first: int(n == 0)})}) for n in range(6)]
    card = release_of(items).card()
    assert "Ties among the labels that were settled by the majority: 1 of 1." in card
    assert "annotators were tied; what the rule for ties says" in card
    assert "Each goes to the answer that is more frequent overall, and nobody's majority" in card
    assert "fewer than three annotators" not in card
    mace = msgspec.structs.replace(REQUEST, consensus="mace")
    weighed = release_of(items, rules=replace(RULES, method=Method.MACE), request=mace)
    assert "Asking for advice or opinions: MACE: the best of" in weighed.card()
    assert "Prefer Dawid–Skene" in weighed.card()
    assert weighed.notes.keys() == {first}


def test_the_card_names_themes_that_a_part_lacks() -> None:
    values = {code.id: 0 for _, code in PRACTICES.coded_questions()}
    first = next(iter(values))
    items = [judged(f"i{n}", {"a": said(values | {first: int(n == 0)})}) for n in range(10)]
    card = release_of(items).card()
    assert card.count("Found in the release and not in its") == 2
    assert "part: Asking for advice or opinions." in card
    assert "part is empty" not in card
    assert "The validation part is empty." in release_of(items[:1]).card()
    assert "Found in the release and not in its" not in small_release().card()


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
