"""kill -9 of the process that shows suggestions, at random moments: each untouched item ends with one or with none."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from pytest_django.fixtures import Settings

from backend.annotate.batches.models import AssignedItem, Assignment, Batch, BatchKind
from backend.annotate.label_studio.client import HttpLabelStudio
from backend.annotate.sync.models import Project
from backend.annotate.sync.push import bring_in_line
from backend.decide.releases.importing import import_release
from backend.design.samples.models import Item
from backend.learn.models.models import Adapter
from backend.learn.models.services import promote
from backend.learn.prelabels.models import Suggestion
from backend.learn.prelabels.predicting import keep_predictions
from backend.learn.prelabels.selectors import conditions_of
from backend.learn.prelabels.services import assign_conditions
from codebook.shipped import load_shipped
from learning.predictions.rows import CodePrediction, ItemPrediction
from learning.prelabel_experiment.values import Condition
from learning.suggestions.encoding import short_id
from tests.backend.learn.prelabels import fixtures
from tests.backend.learn.prelabels.fixtures import Made, made_items, registered
from tests.cast import NOW, Cast
from tests.integration.access_people import owner_client
from tests.integration.instance import Instance
from tests.integration.kills import kills
from tests.integration.label_studio_server import RunningLabelStudio

pytestmark = [pytest.mark.label_studio, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
made = fixtures.made
EPITOME = load_shipped("epitome")
ITEMS = 30
PUSH = """
import sys, django
django.setup()
from django.utils import timezone
from backend.annotate.batches.models import Batch
from backend.annotate.label_studio.client import connect
from backend.learn.prelabels.pushing import push_suggestions
from backend.learn.prelabels.selectors import suggesting_in
batch = Batch.objects.get(pk=sys.argv[1])
adapter = suggesting_in(batch).adapter
assert adapter is not None
print("pushing", flush=True)
push_suggestions(batch, adapter, connect(), now=timezone.now(), report=lambda done, total: None)
"""


@dataclass
class Shown:
    """A batch whose items two adapters have spoken about, in a real Label Studio."""

    batch: Batch
    adapters: tuple[Adapter, Adapter]
    label_studio: RunningLabelStudio
    instance: Instance

    def start(self) -> subprocess.Popen[str]:
        """Returns when it is about to push."""
        process = subprocess.Popen(
            [sys.executable, "-c", PUSH, str(self.batch.pk)],
            env=self.instance.environment(),
            cwd=django_settings.ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "pushing\n"
        return process

    def versions(self) -> Iterator[tuple[AssignedItem, list[str]]]:
        """By item in a share: whose predictions Label Studio has for it."""
        url, token = self.label_studio.url, self.label_studio.instance.token
        client = HttpLabelStudio(url, token)
        with owner_client(self.label_studio) as owner:
            for project in Project.objects.filter(assignment__batch=self.batch):
                share = project.assignment.assigned_items.select_related("item")
                places = {place.item.item_id: place for place in share}
                for task in client.task_index(project.label_studio_id or 0):
                    found = owner.get(f"/api/tasks/{task.id}/").json()["predictions"]
                    yield places[task.item], [row["model_version"] for row in found]
        client.close()


@pytest.fixture
def shown(
    cast: Cast, made: Made, settings: Settings, tmp_path: Path, label_studio: RunningLabelStudio
) -> Shown:
    settings.RELEASES_DIR, settings.ADAPTERS_DIR = tmp_path / "releases", tmp_path / "adapters"
    release = import_release(study=cast.study, folder=made.release, actor=cast.rosa, now=NOW)
    first, second = (registered(cast.study, release, order, tmp_path) for order in made.adapters)
    items = made_items(cast.study, ITEMS)
    batch = _given_out(cast, first, items)
    client = HttpLabelStudio(label_studio.url, label_studio.instance.token)
    bring_in_line(batch, client, now=NOW, report=lambda done, total: None)
    client.close()
    assign_conditions(batch, now=NOW)
    for adapter in (first, second):
        said = [_said(item, adapter) for item in items if item.reply_text is not None]
        keep_predictions(adapter=adapter, items=items, found=said, now=NOW)
    extra = {
        "ATTUNE_LABEL_STUDIO_URL": label_studio.url,
        "ATTUNE_LABEL_STUDIO_TOKEN": label_studio.instance.token,
    }
    return Shown(batch, (first, second), label_studio, Instance(tmp_path, "filesystem://", extra=extra))


def _given_out(cast: Cast, adapter: Adapter, items: list[Item]) -> Batch:
    batch = Batch.objects.create(
        study=cast.study,
        name="Shown",
        kind=BatchKind.MAIN,
        edition=adapter.edition,
        seed=4,
        opened_by=cast.rosa,
        opened_at=NOW,
    )
    for annotator in (cast.amal, cast.bea, cast.chen):
        share = Assignment.objects.create(batch=batch, annotator=annotator, assigned_at=NOW)
        AssignedItem.objects.bulk_create(
            AssignedItem(assignment=share, item=item, position=position)
            for position, item in enumerate(items)
        )
    return batch


def _said(item: Item, adapter: Adapter) -> ItemPrediction:
    codes = tuple(CodePrediction(code.id, 1) for _, code in EPITOME.coded_questions())
    return ItemPrediction(item.item_id, codes, adapter.adapter_id)


@kills(few=4, many=12)
def test_kills_at_random_leave_one_suggestion_or_none(shown: Shown, cast: Cast, n_kills: int) -> None:
    """Between the kills another adapter enters service, so that there is always something to replace."""
    rng = random.Random(12)
    lasted, n_killed = 1.0, 0
    for turn in range(10 * n_kills):
        in_service = shown.adapters[turn % 2]
        promote(adapter=in_service, report=None, override_reason="Tests", actor=cast.rosa, now=NOW)
        with shown.start() as process:
            began = time.monotonic()
            if turn:
                time.sleep(rng.uniform(0, lasted))
            in_time = turn > 0 and process.poll() is None
            n_killed += in_time
            if in_time:
                process.kill()
            assert process.wait(timeout=120) == 0 or in_time
        # How long one takes that is left alone, as far as was seen
        lasted = lasted if in_time else time.monotonic() - began
        if n_killed == n_kills:
            break
    assert n_killed == n_kills
    with shown.start() as process:
        assert process.wait(timeout=120) == 0
    conditions, version = conditions_of(shown.batch), short_id(in_service.adapter_id)
    seen = list(shown.versions())
    assert len(seen) == 3 * ITEMS
    for place, versions in seen:
        is_shown = conditions[place.item_id] is Condition.SUGGESTED and place.item.reply_text is not None
        assert versions == ([version] if is_shown else [])
    # Attune knows of each that it is shown, and of nothing more than once.
    known = Suggestion.objects.filter(prediction__adapter=in_service, shown_at__isnull=False)
    assert known.count() == sum(bool(versions) for _, versions in seen)
