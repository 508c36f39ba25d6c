"""Designs as data: what they accept, and that JSON carries all of it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.sampling.design_json import design_from_json, design_to_json
from corpus.sampling.designs import Design, PpsPosts, UniformPairs, WholePosts
from corpus.sampling.errors import InvalidDesign

IDENTIFIERS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5)
DESIGNS = st.builds(
    lambda kind, n, sizes, exclude, take: kind(n, tuple(sizes.items()), exclude, take),
    st.sampled_from([PpsPosts, UniformPairs, WholePosts]),
    st.integers(1, 10**6),
    st.dictionaries(IDENTIFIERS, st.integers(0, 10**6), max_size=3),
    st.frozensets(st.tuples(IDENTIFIERS, IDENTIFIERS), max_size=4),
    st.booleans(),
)


@given(DESIGNS)
def test_json_round_trip(design: Design) -> None:
    assert design_from_json(json.loads(json.dumps(design_to_json(design)))) == design


def test_json_form() -> None:
    design = PpsPosts(217, (("b", 2), ("a", 1)), frozenset({("z", "1"), ("a", "2")}), True)
    assert json.dumps(design_to_json(design)) == (
        '{"kind": "pps_posts", "n": 217, "n_by_community": {"a": 1, "b": 2}, '
        '"exclude": [["a", "2"], ["z", "1"]], "take_all_if_smaller": true}'
    )


def test_kinds_differ() -> None:
    assert len({PpsPosts(5), UniformPairs(5), WholePosts(5)}) == 3
    assert {PpsPosts.kind, UniformPairs.kind, WholePosts.kind} == {
        "pps_posts",
        "uniform_pairs",
        "whole_posts",
    }


def test_order_of_overrides_does_not_matter() -> None:
    assert PpsPosts(5, (("b", 2), ("a", 1))) == PpsPosts(5, (("a", 1), ("b", 2)))


def test_size_for() -> None:
    design = UniformPairs(100, (("a", 0),))
    assert (design.size_for("a"), design.size_for("b")) == (0, 100)


GOOD: dict[str, object] = {"kind": "pps_posts", "n": 217}


@pytest.mark.parametrize(
    ("value", "field"),
    [
        ([], "(all)"),
        (None, "(all)"),
        ({}, "kind"),
        ({"kind": "stratified", "n": 1}, "kind"),
        ({"kind": ["pps_posts"], "n": 1}, "kind"),
        ({"kind": "pps_posts"}, "n"),
        (GOOD | {"n": 0}, "n"),
        (GOOD | {"n": True}, "n"),
        (GOOD | {"n": 2.0}, "n"),
        (GOOD | {"n": "217"}, "n"),
        (GOOD | {"size": 3}, "size"),
        (GOOD | {"n_by_community": [["a", 1]]}, "n_by_community"),
        (GOOD | {"n_by_community": {"a": -1}}, "n_by_community['a']"),
        (GOOD | {"n_by_community": {"": 1}}, "n_by_community"),
        (GOOD | {"exclude": {"a": "b"}}, "exclude"),
        (GOOD | {"exclude": ["ab"]}, "exclude"),
        (GOOD | {"exclude": [["a", "b", "c"]]}, "exclude"),
        (GOOD | {"exclude": [["a", 1]]}, "exclude"),
        (GOOD | {"exclude": [["a", ""]]}, "exclude"),
        (GOOD | {"exclude": [["a", "\ud800"]]}, "exclude"),
        (GOOD | {"take_all_if_smaller": 1}, "take_all_if_smaller"),
    ],
)
def test_refuses_and_names_the_field(value: object, field: str) -> None:
    with pytest.raises(InvalidDesign) as caught:
        design_from_json(value)
    assert caught.value.field == field


def test_refuses_a_community_named_twice() -> None:
    with pytest.raises(InvalidDesign, match="twice"):
        PpsPosts(5, (("a", 1), ("a", 2)))
