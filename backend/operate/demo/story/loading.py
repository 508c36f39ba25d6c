"""Begins the story: a study with people and a codebook at once, and a job that does the rest."""

from __future__ import annotations

from collections.abc import Callable

import yaml
from django.db import transaction
from django.utils.text import slugify
from pydantic import BaseModel

from backend.core.accounts.models import User
from backend.core.jobs.models import Job
from backend.core.jobs.services import enqueue_job
from backend.core.studies.models import Study
from backend.core.studies.services import create_study, set_member
from backend.design.codebooks.services import add_edition
from backend.operate.demo.accounts import CAST, SIMULATED, demo_user
from backend.operate.demo.models import STUDY_NAME, Story
from backend.operate.demo.queue import TELL_STORY
from backend.operate.demo.story.texts import POST_CODES, SHARES
from codebook.shipped import shipped_path
from corpus.progress import Clock

SEED = 20260214
DESCRIPTION = (
    "How do people ask for support, and how do others give it? A finished study to look around in: every text is "
    "invented, and its annotators and its researcher are simulated by a script. Believe none of its numbers."
)


class StorySize(BaseModel, frozen=True):
    """`overlap` items in each of two rounds, `chosen` by the model, `gold` for each annotator; `own` are for people.

    A report without `sections` has all of them.
    """

    posts_each: int = 180
    sampled_each: int = 130
    overlap: int = 100
    chosen: int = 130
    gold: int = 90
    own: int = 12
    sections: tuple[str, ...] = ()


class TellJob(BaseModel):
    story: int


def load_story(
    *,
    password: str,
    clock: Clock,
    say: Callable[[str], None],
    size: StorySize | None = None,
    seed: int = SEED,
) -> Study:
    """Once: a study that is there already belongs to its users."""
    study = Study.objects.filter(slug=slugify(STUDY_NAME)).first()
    if study is not None:
        return study
    people = {person.username: demo_user(person, password) for person in CAST}
    simulated = {person.username: demo_user(person, None) for person in SIMULATED}
    with transaction.atomic():
        study = _begin(people | simulated, clock)
        story = Story.objects.create(
            study=study, seed=seed, size=(size or StorySize()).model_dump(mode="json")
        )
        enqueue_story(story, clock)
    say("The rest of the demo is made in the background, in about two minutes.")
    return study


def _begin(people: dict[str, User], clock: Clock) -> Study:
    rosa = people["rosa"]
    study = create_study(name=STUDY_NAME, description=DESCRIPTION, created_by=rosa, now=clock())
    for person in (*CAST, *SIMULATED):
        if person.study_role and person.username != rosa.username:
            user = people[person.username]
            set_member(study=study, user=user, role=person.study_role, actor=rosa, now=clock())
    add_edition(
        study=study,
        source=story_codebook(),
        file_name="support-in-replies.yaml",
        note="Eight themes of the codebook that comes with Attune.",
        actor=rosa,
        now=clock(),
    )
    return study


def enqueue_story(story: Story, clock: Clock) -> Job:
    arguments = TellJob(story=story.pk).model_dump(mode="json")
    job = enqueue_job(kind=TELL_STORY, arguments=arguments, study=story.study, created_by=None, now=clock())
    Story.objects.filter(pk=story.pk).update(job=job)
    return job


def story_codebook() -> str:
    """As YAML: eight themes of the shipped codebook. Their words may be highlighted and need not be, so that a model
    that only counts words can suggest them."""
    told = yaml.safe_load(shipped_path("empathy-practices").read_text(encoding="utf-8"))
    kept = {*POST_CODES, *SHARES}
    for question in told["questions"]:
        question["evidence"] = "optional"
        question["codes"] = [code for code in question["codes"] if code["id"] in kept]
        for code in question["codes"]:
            if answered_by := [name for name in code.pop("answered_by", []) if name in kept]:
                code["answered_by"] = answered_by
    told["questions"] = [question for question in told["questions"] if question["codes"]]
    told["name"], told["title"] = "support-in-replies", "How support is asked for and given"
    told["description"] = (
        "How people in online communities ask for support and how others answer: two themes of posts, six of replies. "
        "Judge what the words do. When you hesitate, decide, and flag the item for discussion.\n"
    )
    return str(yaml.safe_dump(told, sort_keys=False, allow_unicode=True, width=110))
