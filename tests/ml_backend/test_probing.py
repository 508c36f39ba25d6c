"""The probe on real learners: one that reads the reply alone gains nothing from the post, one that reads both does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotation.release.read import read_release
from codebook.schema import AnswerKind, Codebook, ContrastPair, Evidence
from learning.probe.measure import NEVER_YES, NO_PAIRS, NO_YES, NothingProbed
from learning.probe.values import ProbeReport, ProbeUnreadable, decode_probe, encode_probe
from learning.probe.variants import NoContrastPairs, UnrelatedPost
from learning.probe.words import probe_lines, probe_sentence
from ml_backend.adapters.folder import load_adapter
from ml_backend.adapters.training import TrainingRequest, train_adapter
from ml_backend.learners.registry import learner_type, make_config
from ml_backend.probing import ProbeSettings, Unrelated, probe_adapter
from tests.annotation.release.fixtures import NOW, RATINGS
from tests.learning.probe.fixtures import CODE, EPITOME, GLAD, KIND, SAD, context_release
from tests.ml_backend.fixtures import made_release, quiet

POSTS = tuple(UnrelatedPost(f"Number {at}: we bake and the bus came.", "The bus came.") for at in range(30))
SETTINGS = ProbeSettings(most=30, resamples=200)


def with_pairs(codebook: Codebook) -> Codebook:
    pair = ContrastPair(f"Number 7: {SAD}.", f"Number 7: {GLAD}.", f"I am {KIND}.")
    first, *others = codebook.questions
    return replace(codebook, questions=(replace(first, contrast_pairs=(pair,)), *others))


def trained(release: Path, folder: Path, learner: str, **options: Any) -> Path:
    config = make_config(learner_type(learner), options)
    train_adapter(TrainingRequest(release, folder, learner, config, 1, 1), now=NOW, report=quiet)
    return folder


Probe = Callable[..., ProbeReport]


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Probe:
    """Each adapter is trained and probed once."""
    folder = tmp_path_factory.mktemp("probe")
    release = context_release(folder, 240, codebook=with_pairs(EPITOME))
    known: dict[tuple[str, str], ProbeReport] = {}

    def probe(learner: str = "tfidf-logistic", reads: str = "alone") -> ProbeReport:
        key = (learner, reads)
        if key not in known:
            adapter = load_adapter(trained(release, folder / "-".join(key), learner, input=reads))
            unrelated = Unrelated("trains.csv", POSTS)
            known[key] = probe_adapter(adapter, read_release(release), unrelated, SETTINGS, quiet)
        return known[key]

    return probe


@pytest.mark.parametrize("learner", ["tfidf-logistic", "nearest-neighbour"])
def test_one_that_reads_the_reply_alone_gains_nothing_and_its_rates_stay(probe: Probe, learner: str) -> None:
    found = probe(learner).codes[0]
    gains = [each for each in (found.context_gain, found.probability_gain) if each is not None]
    assert [(each.value, each.low, each.high, each.p) for each in gains] == [(0.0, 0.0, 0.0, 1.0)] * 2
    assert found.insertion is not None and found.swap is not None and found.contradiction is not None
    assert found.insertion.rate == found.insertion.own_posts
    assert found.insertion.rate.value == 1.0
    assert found.insertion.without is not None and found.insertion.without.value == 0.0
    assert (found.swap.kept.value, found.swap.sensitivity.value) == (1.0, 0.0)
    assert (found.contradiction.said.value, found.contradiction.kept.value) == (1.0, 1.0)


def test_one_that_reads_the_post_too_gains_from_it(probe: Probe) -> None:
    found = probe(reads="pair").codes[0]
    assert found.code_id == CODE
    assert found.context_gain.low is not None and found.context_gain.low > 0
    assert found.probability_gain is not None and (found.probability_gain.low or 0) > 0
    assert found.insertion is not None and found.swap is not None and found.contradiction is not None
    assert found.insertion.rate.value is not None and found.insertion.own_posts.value is not None
    assert found.insertion.rate.value < 0.2 < found.insertion.own_posts.value
    assert [each.text for each in found.insertion.utterances] == [KIND]
    assert found.sensitivity is not None and (found.sensitivity.low or 0) > 0
    assert (found.contradiction.said.value, found.contradiction.kept.value) == (1.0, 0.0)


def test_a_report_is_the_same_again_and_is_read_back(probe: Probe) -> None:
    report = probe(reads="pair")
    assert decode_probe(encode_probe(report)) == report
    assert (report.unrelated, report.n_unrelated) == ("trains.csv", 30)
    with pytest.raises(ProbeUnreadable, match="probe the adapter again"):
        decode_probe(b"{}")


def test_it_is_told_in_words(probe: Probe) -> None:
    report = probe(reads="pair")
    lines = "\n".join(probe_lines(report))
    assert "context gain   macro-F1 +" in lines and f"“{KIND}”" in lines
    assert "of 1 yes kept with the event turned around" in lines and "mean context gain" in lines
    sentence = probe_sentence(report, {CODE: "Emotional reactions"})
    assert "30 unrelated posts" in sentence and "Emotional reactions: context gain in macro-F1 +" in sentence


def test_one_that_never_says_yes_has_no_share_that_it_keeps(probe: Probe) -> None:
    found = probe("majority").codes[0]
    assert found.swap is None and NEVER_YES in found.notes
    assert found.insertion is not None and found.insertion.rate.value == 0.0


def test_a_codebook_without_pairs_is_refused_where_contradiction_is_asked_for(tmp_path: Path) -> None:
    release = context_release(tmp_path)
    adapter = load_adapter(trained(release, tmp_path / "adapter", "tfidf-logistic"))
    with pytest.raises(NoContrastPairs, match="contrast_pairs"):
        probe_adapter(adapter, read_release(release), None, replace(SETTINGS, contradiction=True), quiet)
    found = probe_adapter(adapter, read_release(release), None, SETTINGS, quiet)
    assert found.codes[0].contradiction is None and NO_PAIRS in found.codes[0].notes
    assert found.unrelated == "other parts of the release"


def test_a_rating_has_a_gain_and_no_yes(tmp_path: Path) -> None:
    levels = tuple(replace(level, absent=False) for level in EPITOME.questions[0].levels)
    rating = replace(EPITOME.questions[0], answer=AnswerKind.SCALE, evidence=Evidence.NONE, levels=levels)
    release = context_release(tmp_path, codebook=replace(EPITOME, questions=(rating,)))
    adapter = load_adapter(trained(release, tmp_path / "adapter", "tfidf-logistic", input="pair"))
    found = probe_adapter(adapter, read_release(release), None, SETTINGS, quiet).codes[0]
    assert (found.insertion, found.swap, found.contradiction, found.notes) == (None, None, None, (NO_YES,))
    assert (found.context_gain.value or 0) > 0.5


def test_an_adapter_of_other_codes_is_refused(tmp_path: Path) -> None:
    release = made_release(tmp_path / "ratings", RATINGS, 60)
    adapter = load_adapter(trained(release, tmp_path / "adapter", "tfidf-logistic"))
    other = read_release(context_release(tmp_path))
    said: list[str] = []
    with pytest.raises(NothingProbed, match="the codebook that it learned from"):
        probe_adapter(adapter, other, None, SETTINGS, said.append)
    assert not said, "it is refused before anything is asked"
