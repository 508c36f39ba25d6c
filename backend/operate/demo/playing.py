"""Plays the rounds of the demo that are over: its annotators sign in to Label Studio and submit."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from annotation.label_studio.encoding import encode_answers
from backend.annotate.batches.models import Assignment
from backend.annotate.label_studio.annotator_session import AnnotatorSession
from backend.annotate.label_studio.server import LabelStudioServer
from backend.annotate.sync.entrance import entrance_for
from backend.annotate.sync.models import Project
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.selectors import item_text
from backend.operate.demo.answers import demo_answers

SHORTEST_SECONDS, LONGEST_SECONDS = 25, 140


def play_share(share: Assignment, server: LabelStudioServer, rng: Random) -> Iterator[int]:
    """Yields once for each item of the share that has an answer; what is submitted already stays as it is."""
    entrance = entrance_for(share, None, server)
    number = Project.objects.get(assignment=share).label_studio_id or 0
    codebook = codebook_of(share.batch.edition)
    texts = {
        place.item.item_id: item_text(place.item) for place in share.assigned_items.select_related("item")
    }
    with AnnotatorSession(entrance) as session:
        for task in server.task_index(number):
            seconds = rng.uniform(SHORTEST_SECONDS, LONGEST_SECONDS)
            if not task.annotations + task.skipped:
                text = texts[task.item]
                answers = demo_answers(codebook, text, share.annotator.username)
                session.submit(number, task.id, encode_answers(codebook, text, answers), seconds=seconds)
            yield task.id
