"""What a person or a notebook asks of a transfer study, and the study with whole paths that comes of it."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import msgspec
from ninja import Field, Schema
from pydantic import StringConstraints

from backend.core.accounts.models import User
from backend.core.studies.access import role_in, studies_of
from backend.core.studies.models import Study, StudyRole
from backend.decide.releases.models import Release
from backend.decide.releases.selectors import codebook_in
from backend.learn.transfer.errors import StudyUnusable, TaskUnknown
from learning.transfer.study import Limits, TaskSource, TrainingChoices, TransferStudy, problems

Words = Annotated[str, StringConstraints(strip_whitespace=True, max_length=60, pattern=r"^[^\x00-\x1f/\\]*$")]
LONGEST_NAME = 60


class TransferTaskIn(Schema):
    study: str = Field(default="", max_length=60, description="Its short name; this study if left out.")
    release: int = Field(ge=1)
    code: str = Field(max_length=80)
    name: Words = Field(default="", description="The code's name if left out.")
    source: Words = Field(default="", description="Where the texts come from; the study if left out.")
    setting: Words = ""
    theme: Words = ""


class TransferLimitsIn(Schema):
    """At most so many items of each part, drawn at random; 0 for all."""

    train: int = Field(default=400, ge=0)
    validation: int = Field(default=100, ge=0)
    test: int = Field(default=500, ge=0)


class TransferIn(Schema):
    """`training` is as in docs/transfer.md; what is not given keeps its default."""

    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)] = "Transfer"
    tasks: list[TransferTaskIn] = Field(min_length=2, max_length=40)
    seeds: int = Field(default=3, ge=1, le=50)
    first_seed: int = Field(default=1, ge=0)
    limits: TransferLimitsIn = TransferLimitsIn()
    training: dict[str, str | int | float] = Field(default_factory=dict)
    resamples: int = Field(default=5000, ge=100, le=100_000)


def transfer_study(asked: TransferIn, study: Study, actor: User) -> TransferStudy:
    """Raises what says which task is not there for this person, or what is wrong with the choices."""
    found = [_find(task, study, actor) for task in asked.tasks]
    names = _names([task.name or name for task, (_, _, name) in zip(asked.tasks, found, strict=True)], found)
    tasks = tuple(
        TaskSource(
            name=name,
            release=str(release.folder),
            code=task.code,
            source=task.source or own.name[:LONGEST_NAME],
            setting=task.setting,
            theme=task.theme,
        )
        for name, task, (own, release, _) in zip(names, asked.tasks, found, strict=True)
    )
    try:
        made = TransferStudy(
            name=asked.name,
            tasks=tasks,
            seeds=asked.seeds,
            first_seed=asked.first_seed,
            limits=Limits(**asked.limits.model_dump()),
            training=msgspec.convert(asked.training, TrainingChoices),
            resamples=asked.resamples,
        )
        wrong = problems(made)
    except msgspec.ValidationError as error:
        raise StudyUnusable(f"{error}. docs/transfer.md lists the choices of training.") from error
    if wrong:
        raise StudyUnusable(f"{wrong[0][0].upper()}{wrong[0][1:]}.")
    return made


_Found = tuple[Study, Release, str]


def _find(task: TransferTaskIn, study: Study, actor: User) -> _Found:
    """The study, the release, and the code's name."""
    own = studies_of(actor).filter(slug=task.study).first() if task.study else study
    if own is None or role_in(actor, own) != StudyRole.RESEARCHER:
        raise TaskUnknown(task.study, task.release, task.code)
    release = own.releases.select_related("study").filter(number=task.release).first()
    names = {code.id: code.name for _, code in codebook_in(release).coded_questions()} if release else {}
    if release is None or task.code not in names:
        raise TaskUnknown(own.slug, task.release, task.code)
    return own, release, names[task.code]


def _names(named: list[str], found: list[_Found]) -> list[str]:
    """Where two are called alike, each with its study and release, which are never cut off."""
    often = Counter(name.casefold() for name in named)
    full = []
    for name, (own, release, _) in zip(named, found, strict=True):
        more = "" if often[name.casefold()] == 1 else f", {own.name[:20]} {release.number}"
        full.append(name[: LONGEST_NAME - len(more)] + more)
    return [name.replace("/", "-").replace("\\", "-") for name in full]


class Choosable(msgspec.Struct, frozen=True):
    """A task that a person may choose; `key` names it in a form."""

    study: str
    release: int
    code: str
    words: str

    @property
    def key(self) -> str:
        return f"{self.study}/{self.release}/{self.code}"

    @classmethod
    def parts(cls, key: str) -> TransferTaskIn:
        study, release, code = key.split("/", 2)
        return TransferTaskIn(study=study, release=int(release), code=code)


def choosable_tasks(study: Study, actor: User) -> list[Choosable]:
    """The codes of all releases with texts, of this study first, then of others that the person does research in."""
    others = list(studies_of(actor).exclude(pk=study.pk).order_by("name"))
    found = []
    for own in [study, *others]:
        if role_in(actor, own) != StudyRole.RESEARCHER:
            continue
        for release in own.releases.select_related("study"):
            if release.request["texts"]:
                found += _codes_of(own, release)
    return found


def _codes_of(own: Study, release: Release) -> list[Choosable]:
    return [
        Choosable(
            own.slug, release.number, code.id, f"{code.name}: {own.name}, {release.number} “{release.name}”"
        )
        for _, code in codebook_in(release).coded_questions()
    ]
