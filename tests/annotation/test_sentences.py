"""Sentences are the same everywhere and lose no character of the text."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from annotation.sentences import sentences
from tests.annotation.strategies import texts

any_text = st.one_of(texts, st.text(max_size=60), st.text("aA1 .?!…\n\"'”)(“e.g😀。؟", max_size=40))


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@given(any_text)
@example(". . . a . . b")
@example("\x1c.\x1f.\x85.\u2028.")
def test_sentences_are_ordered_apart_trimmed_and_cover_what_can_be_seen(text: str) -> None:
    at, covered = 0, 0
    for start, end in sentences(text):
        assert at <= start < end <= len(text)
        assert text[at:start].strip() == ""
        assert text[start:end] == text[start:end].strip()
        at, covered = end, covered + 1
    assert text[at:].strip() == ""
    assert covered >= bool(text.strip())


@given(any_text, any_text)
def test_a_line_is_cut_whatever_stands_on_the_next(first: str, second: str) -> None:
    assert cut(f"{first}\n{second}") == cut(first) + cut(second)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t ", []),
        ("no mark at all 😀 here", ["no mark at all 😀 here"]),
        ("one line\nanother\r\nthird", ["one line", "another", "third"]),
        ("i am tired. i want to go", ["i am tired.", "i want to go"]),
        ("It is 3.5 km to example.org. Go!", ["It is 3.5 km to example.org.", "Go!"]),
        ("Dr. Lee, i.e. my boss, left. Bye.", ["Dr. Lee, i.e. my boss, left.", "Bye."]),
        (
            "At 5 p.m. we left. It was 6 p.m. Then home.",
            ["At 5 p.m. we left.", "It was 6 p.m.", "Then home."],
        ),
        ("J. K. Rowling wrote it. So did I. Then C.", ["J. K. Rowling wrote it.", "So did I.", "Then C."]),
        ("1. Breathe. 2 times.\n2. Sleep", ["1. Breathe.", "2 times.", "2. Sleep"]),
        ("I said no. Then No. 5 came.", ["I said no.", "Then No. 5 came."]),
        ("Well... maybe. Well... Maybe.", ["Well... maybe.", "Well...", "Maybe."]),
        ("“Why?” she asked. “Go.” Then “stop.”", ["“Why?” she asked.", "“Go.”", "Then “stop.”"]),
        ("He left (really!) and ran. (True.) Yes", ["He left (really!) and ran.", "(True.)", "Yes"]),
        ("**Stop.** Then go", ["**Stop.**", "Then go"]),
        ("So sorry!! 😢 💔 Call me :) ok?! :) Bye", ["So sorry!! 😢 💔", "Call me :) ok?! :)", "Bye"]),
        ("我很难过。你呢？「没事。」好", ["我很难过。", "你呢？", "「没事。」", "好"]),  # noqa: RUF001
        ("هل أنت بخير؟ نعم. شكرا۔", ["هل أنت بخير؟", "نعم.", "شكرا۔"]),  # noqa: RUF001
        ("मैं ठीक हूँ। और तुम", ["मैं ठीक हूँ।", "और तुम"]),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


def test_a_long_line_of_stops_takes_no_longer_than_its_length_asks() -> None:
    assert len(sentences("So. " * 20_000)) == 20_000
    assert len(sentences(". " * 20_000)) == 1
