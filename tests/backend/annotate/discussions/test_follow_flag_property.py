"""Whatever happens to a flag, being told of it twice is as being told once."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backend.annotate.discussions.models import Discussion, DiscussionState
from backend.annotate.discussions.services import follow_flag, reopen, reply, settle
from backend.core.studies.models import Event
from tests.backend.annotate.discussions.fixtures import Bench, minutes
from tests.examples import examples

Told = tuple[bool, str]
Step = Told | str
TOLD: st.SearchStrategy[Told] = st.one_of(
    st.tuples(st.just(True), st.sampled_from(["", " ", "a", "b", " a"])),
    st.tuples(st.just(False), st.sampled_from(["", "a"])),
)
DONE: st.SearchStrategy[Step] = st.sampled_from(
    ["researcher replies", "annotator replies", "settle", "reopen"]
)
STEPS = st.lists(st.tuples(st.one_of(TOLD, DONE), st.integers(1, 3)), max_size=8)


@dataclass(frozen=True)
class Outcome:
    state: str
    is_flagged: bool
    comment: str
    messages: tuple[tuple[str, bool], ...]
    events: int


class Undone(Exception):
    """Rolls an example back."""


def outcome(bench: Bench, steps: list[Step]) -> Outcome | None:
    found: Outcome | None = None
    try:
        with transaction.atomic():
            assigned = bench.assign(bench.batch(), bench.cast.amal, bench.item("one"))
            for at, step in enumerate(steps):
                if isinstance(step, tuple):
                    follow_flag(assigned_item=assigned, is_flagged=step[0], comment=step[1], now=minutes(at))
                elif discussion := Discussion.objects.filter(assigned_item=assigned).first():
                    _act(bench, discussion, step, at)
            found = _outcome_of(Discussion.objects.filter(assigned_item=assigned).first())
            raise Undone
    except Undone:
        return found


def _act(bench: Bench, discussion: Discussion, step: str, at: int) -> None:
    is_settled = discussion.state == DiscussionState.SETTLED
    if step == "settle" and not is_settled:
        settle(discussion=discussion, actor=bench.cast.rosa, reason="So.", now=minutes(at))
    elif step == "reopen" and is_settled:
        reopen(discussion=discussion, actor=bench.cast.rosa, now=minutes(at))
    elif step.endswith("replies"):
        author = bench.cast.rosa if step.startswith("researcher") else bench.cast.amal
        reply(discussion=discussion, author=author, body=step, now=minutes(at))


def _outcome_of(discussion: Discussion | None) -> Outcome | None:
    if discussion is None:
        return None
    return Outcome(
        state=discussion.state,
        is_flagged=discussion.is_flagged,
        comment=discussion.comment,
        messages=tuple(discussion.messages.values_list("body", "from_label_studio")),
        events=Event.objects.count(),
    )


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(40))
@given(steps=STEPS)
def test_telling_twice_is_telling_once(bench: Bench, steps: list[tuple[Step, int]]) -> None:
    once = [step for step, _ in steps]
    repeated = [
        again for step, times in steps for again in [step] * (times if isinstance(step, tuple) else 1)
    ]
    assert outcome(bench, repeated) == outcome(bench, once)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(40))
@given(told=st.lists(TOLD, max_size=8))
def test_the_state_says_whether_the_flag_stands(bench: Bench, told: list[Told]) -> None:
    found = outcome(bench, list(told))
    if not any(is_flagged for is_flagged, _ in told):
        assert found is None
    else:
        assert found is not None
        stands = told[-1][0]
        assert (found.is_flagged, found.state) == (stands, "open" if stands else "withdrawn")
        comments = [comment.strip() for is_flagged, comment in told if is_flagged]
        new = [now for before, now in zip(["", *comments], comments, strict=False) if now not in ("", before)]
        assert [body for body, _ in found.messages] == new
