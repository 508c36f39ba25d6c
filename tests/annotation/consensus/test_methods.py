"""What holds for every method of consensus: names and order do not matter, and small tables have a defined answer."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.consensus.dawid_skene import dawid_skene
from annotation.consensus.mace import mace
from annotation.consensus.majority import majority
from annotation.consensus.methods import consensus
from annotation.consensus.values import NO_LABEL, Consensus, Method, Ties, Votes
from annotation.consensus.votes import votes_from
from benchmarks.consensus import invented_votes
from tests.examples import examples

Rows = list[tuple[str, str, str]]
every_method = pytest.mark.parametrize("method", list(Method))


def labelled(rows: Rows, method: Method) -> tuple[dict[str, str], Consensus]:
    votes = votes_from(rows)
    result = consensus(votes, method, seed=1)
    return {item: votes.labels[label] for item, label in zip(votes.items, result.label, strict=True)}, result


def rows_of(votes: Votes) -> Rows:
    return [
        (votes.items[on], votes.annotators[by], votes.labels[said])
        for on, by, said in zip(votes.on, votes.by, votes.said, strict=True)
    ]


@every_method
def test_the_order_of_rows_changes_nothing(method: Method) -> None:
    rows = rows_of(invented_votes(60, 5, 3, 3, seed=2)[0])
    labels, result = labelled(rows, method)
    again, same = labelled(rows[::-1], method)
    assert labels == again
    assert np.array_equal(result.confidence, same.confidence)
    assert np.array_equal(result.competence, same.competence, equal_nan=True)


@every_method
def test_other_names_for_annotators_change_no_label(method: Method) -> None:
    rows = rows_of(invented_votes(200, 5, 3, 3, seed=3)[0])
    renamed = {name: f"{9 - int(name[-1])}" for _, name, _ in rows}
    assert (
        labelled([(item, renamed[name], label) for item, name, label in rows], method)[0]
        == labelled(rows, method)[0]
    )


@every_method
def test_other_names_for_labels_are_carried_through(method: Method) -> None:
    """Two labels and an odd number of equally weighed votes, so that no tie is settled by a name."""
    rows = rows_of(invented_votes(200, 3, 2, 3, seed=4)[0])
    renamed = {"label-00": "z", "label-01": "a"}
    labels, _ = labelled(rows, method)
    other, _ = labelled([(item, name, renamed[label]) for item, name, label in rows], method)
    assert other == {item: renamed[label] for item, label in labels.items()}


@every_method
@settings(max_examples=examples(20), deadline=None)
@given(data=st.data())
def test_results_are_sound_for_any_votes(method: Method, data: st.DataObject) -> None:
    names = st.sampled_from("abcd")
    said = data.draw(st.dictionaries(st.tuples(st.sampled_from("123456"), names), names, min_size=1))
    labels, result = labelled([(*key, label) for key, label in said.items()], method)
    for item, label in labels.items():
        assert (
            label in {given for (on, _), given in said.items() if on == item} or method is not Method.MAJORITY
        )
    n_labels = len(set(said.values()))
    assert ((result.confidence >= 1 / n_labels - 1e-9) & (result.confidence <= 1 + 1e-9)).all()
    if method is Method.MAJORITY:
        assert all(label in {said.get((item, name)) for name in "abcd"} for item, label in labels.items())
        assert np.isnan(result.competence).all()
    else:
        assert ((result.competence >= 0) & (result.competence <= 1 + 1e-9)).all()


@every_method
def test_one_annotator_alone_gets_their_labels_back(method: Method) -> None:
    labels, result = labelled([("1", "Ada", "yes"), ("2", "Ada", "no"), ("3", "Ada", "no")], method)
    assert labels == {"1": "yes", "2": "no", "3": "no"}
    assert "One annotator only" in result.note


@every_method
def test_one_label_only(method: Method) -> None:
    labels, result = labelled([("1", "Ada", "no"), ("1", "Ben", "no"), ("2", "Cy", "no")], method)
    assert set(labels.values()) == {"no"}
    assert result.confidence.tolist() == [1.0, 1.0]
    assert "Only one label occurs" in result.note
    assert "1 of 2 items have a single vote" in result.note


@every_method
def test_everybody_agrees(method: Method) -> None:
    truth = {str(at): "yes" if at % 3 else "no" for at in range(12)}
    rows = [(item, name, label) for item, label in truth.items() for name in ("Ada", "Ben", "Cy")]
    labels, result = labelled(rows, method)
    assert labels == truth
    assert result.confidence.min() > 0.95


def tied_rows(n: int) -> Rows:
    """So many items on which two annotators differ, and as many on which both say yes."""
    apart = [(f"tie {at}", who, label) for at in range(n) for who, label in (("Ada", "no"), ("Ben", "yes"))]
    return apart + [(f"clear {at}", who, "yes") for at in range(n) for who in ("Ada", "Ben")]


def test_ties_do_not_all_go_to_the_commoner_label() -> None:
    votes = votes_from(tied_rows(200))
    found = consensus(votes, Method.MAJORITY, seed=1)
    ties = [label for item, label in zip(votes.items, found.label, strict=True) if item.startswith("tie")]
    assert 70 < sum(votes.labels[label] == "no" for label in ties) < 130
    assert "200 of 400 items tied: chance decides a tie, by the seed." in found.note
    again, other = (consensus(votes, Method.MAJORITY, seed=seed).label for seed in (1, 2))
    assert found.label.tolist() == again.tolist() != other.tolist()


def test_ties_can_be_left_without_a_label() -> None:
    votes = votes_from(tied_rows(3))
    found = consensus(votes, Method.MAJORITY, seed=1, ties=Ties.NONE)
    without = {item for item, label in zip(votes.items, found.label, strict=True) if label == NO_LABEL}
    assert without == {"tie 0", "tie 1", "tie 2"} and "a tie has no label" in found.note


def test_dawid_skene_goes_on_until_no_probability_moves() -> None:
    votes, _ = invented_votes(300, 3, 3, 3, seed=7)
    settled = dawid_skene(votes)
    assert "settled after" in settled.note
    further = dawid_skene(votes, max_iterations=20_000, tolerance=1e-10)
    assert np.abs(settled.confidence - further.confidence).max() < 1e-3
    assert settled.label.tolist() == further.label.tolist()


def test_a_tie_goes_to_the_label_that_is_more_frequent_overall_if_the_study_asks_for_it() -> None:
    rows = [
        ("1", "Ada", "no"),
        ("1", "Ben", "yes"),
        ("2", "Ada", "yes"),
        ("3", "Ada", "a"),
        ("3", "Ben", "no"),
    ]
    votes = votes_from(rows)
    result = consensus(votes, Method.MAJORITY, seed=1, ties=Ties.FREQUENT)
    labels = {item: votes.labels[label] for item, label in zip(votes.items, result.label, strict=True)}
    assert labels == {"1": "no", "2": "yes", "3": "no"}
    assert result.confidence.tolist() == [0.5, 1.0, 0.5]
    assert result.note.startswith("2 of 3 items tied")


@pytest.mark.parametrize("method", [Method.DAWID_SKENE, Method.MACE])
def test_two_annotators_are_too_few_to_tell_who_is_right(method: Method) -> None:
    rows = [
        (str(at), name, label)
        for at, pair in enumerate(["nn", "ny", "yy"])
        for name, label in zip("AB", pair, strict=True)
    ]
    assert "fewer than three annotators" in labelled(rows, method)[1].note


def test_mace_says_where_one_label_is_too_common_for_it() -> None:
    def note(n_rare: int, method: Method) -> str:
        rows = [(str(at), name, "yes" if at < n_rare else "no") for at in range(20) for name in "ABC"]
        return labelled(rows, method)[1].note

    assert "One label makes up 80% of the votes" in note(4, Method.MACE)
    assert "Prefer Dawid–Skene" in note(4, Method.MACE)
    assert "Prefer" not in note(5, Method.MACE) + note(0, Method.MACE) + note(4, Method.DAWID_SKENE)


def test_hundreds_of_votes_on_one_item_do_not_underflow() -> None:
    rows = [("1", f"a{at}", "yes" if at % 3 else "no") for at in range(3000)]
    rows += [(str(item), f"a{at}", "no") for item in (2, 3) for at in range(3000)]
    for method in Method:
        labels, result = labelled(rows, method)
        assert labels == {"1": "yes", "2": "no", "3": "no"}
        assert np.isfinite(result.confidence).all()


def test_dawid_skene_says_when_it_was_stopped() -> None:
    votes, _ = invented_votes(300, 6, 3, 3, seed=1)
    assert "was stopped before it settled after 2 steps" in dawid_skene(votes, max_iterations=2).note
    assert "settled after" in dawid_skene(votes, max_iterations=1000).note


def test_the_seed_fixes_what_mace_says() -> None:
    votes, _ = invented_votes(300, 6, 3, 3, seed=1)
    first, second = mace(votes, seed=5), mace(votes, seed=5)
    assert np.array_equal(first.confidence, second.confidence)
    assert np.array_equal(first.label, second.label)


def test_a_method_is_what_its_name_says() -> None:
    votes, _ = invented_votes(300, 6, 3, 3, seed=1)
    for method, function in ((Method.MAJORITY, majority), (Method.DAWID_SKENE, dawid_skene)):
        assert np.array_equal(consensus(votes, method, seed=0).confidence, function(votes).confidence)
