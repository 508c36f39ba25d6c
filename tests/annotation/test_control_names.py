"""Names go out to Label Studio and come back; nothing may be lost or mistaken on the way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.label_studio.config.control_names import (
    ControlKind,
    ControlName,
    UnknownControlError,
    read_control_name,
    text_name_in_config,
    text_name_in_results,
)
from codebook.schema import Part

WHOLE_ITEM = (ControlKind.FLAG, ControlKind.COMMENT)
slugs = st.from_regex(r"[a-z][a-z0-9]{0,5}(-[a-z0-9]{1,4}){0,2}", fullmatch=True)
names = st.one_of(
    st.builds(
        ControlName,
        st.sampled_from([kind for kind in ControlKind if kind not in WHOLE_ITEM]),
        slugs,
        st.sampled_from(Part),
    ),
    st.builds(ControlName, st.sampled_from(WHOLE_ITEM), st.just(""), st.just(Part.POST)),
)


@given(names)
def test_names_come_back(name: ControlName) -> None:
    assert read_control_name(name.in_results()) == name
    assert name.in_config().replace("{{idx}}", "0") == name.in_results()


@given(names, names)
def test_different_controls_have_different_names(one: ControlName, other: ControlName) -> None:
    assert (one.in_results() == other.in_results()) is (one == other)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "post",
        "ticks",
        "span_",
        "span_A",
        "span_a_1",
        "flag_a",
        "flag_0",
        "sp_a",
        "span_a_0_0",
        "span_a\n",
    ],
)
def test_foreign_names_are_refused(name: str) -> None:
    with pytest.raises(UnknownControlError, match="was the project's config edited"):
        read_control_name(name)


def test_the_reply_is_the_first_of_a_repeated_list() -> None:
    assert [text_name_in_config(part) for part in Part] == ["post", "reply_{{idx}}"]
    assert [text_name_in_results(part) for part in Part] == ["post", "reply_0"]
