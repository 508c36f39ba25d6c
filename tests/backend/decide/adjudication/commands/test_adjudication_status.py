"""The command says what is left and why."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command

from tests.backend.decide.adjudication.fixtures import EMOTIONS, Bench


def test_it_counts_what_is_settled_and_what_is_left(bench: Bench) -> None:
    bench.disagree(bench.items[0])
    bench.disagree(bench.items[1])
    bench.decide(bench.items[0], bench.cast.rosa, EMOTIONS)
    out = io.StringIO()
    call_command("adjudication_status", bench.study.slug, stdout=out)
    assert out.getvalue().splitlines()[:2] == ["1 of 2 settled", "  disagreement: 1"]


def test_an_unknown_study_is_named(db: None) -> None:
    with pytest.raises(CommandError, match="no study 'nowhere'"):
        call_command("adjudication_status", "nowhere")
