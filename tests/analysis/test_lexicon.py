"""Lexicons in the forms that people have them in, and what is said of a file that is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.lexicon import Lexicon, LexiconUnreadable, lexicon_of, read_lexicon

WIDE = b"word,joy,fear\nSun,1,0\nstorm,,0.5\nstone,0,0\n"
LONG = b"word;category;score\nsun;joy;1\nstorm;fear;0.5\n"
NRC = b"sun\tjoy\t1\nsun\tfear\t0\nstorm\tjoy\t0\nstorm\tfear\t1\n"


def test_each_form_gives_the_same_words() -> None:
    expected = Lexicon("mine", ("joy", "fear"), {"sun": (1.0, 0.0), "storm": (0.0, 0.5)})
    assert lexicon_of(WIDE, "mine") == lexicon_of(LONG, "mine") == expected
    assert lexicon_of(NRC, "mine").scores == {"sun": (1.0, 0.0), "storm": (0.0, 1.0)}
    without_scores = lexicon_of(b"word,emotion\nsun,joy\nstorm,fear\n", "mine")
    assert without_scores.scores == {"sun": (1.0, 0.0), "storm": (0.0, 1.0)}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"text,joy\nsun,1\n", "the first column is 'text' and not “word”"),
        (b"word,joy\nsun,much\n", "line 2: 'much' is no number"),
        (b"word,category,points\nsun,joy,1\n", "the third column is 'points' and not “score”"),
        (b"word,joy\nsun,0\n", "no word has a score"),
        (b"word\nsun\n", "it has words and no column of numbers"),
        (
            b"word,category\n" + b"".join(b"sun,c%d\n" % at for at in range(41)),
            "41 categories, and at most 40",
        ),
    ],
)
def test_a_file_that_is_none_is_refused_with_the_reason(content: bytes, message: str) -> None:
    with pytest.raises(LexiconUnreadable, match=message):
        lexicon_of(content, "mine")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(LexiconUnreadable, match=r"none\.csv cannot be read"):
        read_lexicon(tmp_path / "none.csv")
