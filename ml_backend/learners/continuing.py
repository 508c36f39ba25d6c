"""Training that begins from an adapter: what has to be the same in both, and what is said where it is not."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from codebook.questions import ModelQuestion
from learning.adapters.folder import read_card
from learning.learners.registry import learner_spec
from ml_backend.learners.interface import Config, Learner, LearnerT, ParentUnfit, Report
from ml_backend.learners.registry import make_config


def config_from(learner: type[Learner], options: Mapping[str, Any], parent: Path | None) -> Config:
    """What is not given is as the parent has it, if there is one. Raises ParentUnfit where it is another learner's."""
    if parent is None:
        return make_config(learner, options)
    card = read_card(parent)
    _refuse_other_learner(learner.name, card.learner)
    return make_config(learner, {**card.config, **options})


def check_parent(learner: LearnerT, parent: Learner) -> LearnerT:
    """The parent, if training of the learner can begin from it. Raises ParentUnfit."""
    _refuse_other_learner(learner.name, parent.name)
    if not isinstance(parent, type(learner)):
        raise ParentUnfit("it is another kind of model.")
    for option in learner_spec(learner.name).kept:
        asked, has = (msgspec.to_builtins(getattr(each.config, option)) for each in (learner, parent))
        if asked != has:
            raise ParentUnfit(
                f"it has {option}={has!r}, and {asked!r} is asked for. Leave the option out, or train without a parent."
            )
    _refuse_other_questions(learner, parent)
    return parent


def _refuse_other_learner(name: str, other: str) -> None:
    if not learner_spec(name).can_continue:
        raise ParentUnfit(f"the learner {name} always learns anew. Train without a parent.")
    if name != other:
        raise ParentUnfit(
            f"it was trained by the learner {other}: choose that one, or train without a parent."
        )


def _refuse_other_questions(learner: Learner, parent: Learner) -> None:
    own, known = ({q.code_id: q for q in each.questions} for each in (learner, parent))
    shared = [code for code in own if code in known]
    if not shared:
        raise ParentUnfit(
            "it knows none of the codes that the release has labels of. Train without a parent."
        )
    changed = [code for code in shared if _answers(own[code]) != _answers(known[code])]
    if changed:
        raise ParentUnfit(
            f"the release's edition of the codebook has other answers or judges another part for {', '.join(changed)}. "
            "Train without a parent."
        )


def _answers(question: ModelQuestion) -> tuple[object, ...]:
    return question.part, question.answer, tuple(value.value for value in question.values)


def report_begun(questions: Sequence[ModelQuestion], known: Collection[str], report: Report) -> None:
    new = [question.code_id for question in questions if question.code_id not in known]
    report(f"Begins from another adapter; anew: {', '.join(new) or 'nothing'}")
