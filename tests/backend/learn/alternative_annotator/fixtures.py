"""A study with a release whose items three annotators judged, of whom one errs now and then."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec

from annotation.release.files import write_release
from annotation.release.judged_items import GivenAnswer, JudgedItem
from annotation.release.rows import SplitPart, Texts
from backend.core.studies.models import Study
from backend.decide.releases.importing import import_release
from backend.decide.releases.models import Release
from backend.decide.releases.selectors import rows_of
from codebook.editions import edition_hash
from codebook.shipped import load_shipped
from tests.annotation.release.fixtures import REQUEST, judged, release_of, said
from tests.cast import NOW
from tests.ml_backend.fixtures import answers_of, example

EPITOME = load_shipped("epitome")
CODES = tuple(code.id for _, code in EPITOME.coded_questions())
NAMES = ("annotator-1", "annotator-2", "annotator-3")


def overlap_release(
    study: Study, folder: Path, n: int = 90, annotators: int = 3, name: str = "Overlap"
) -> Release:
    """Words give the labels away, but the third annotator finds nothing in every fourth item."""
    items = [_judged(number, annotators) for number in range(n)]
    request = msgspec.structs.replace(REQUEST, texts=True, ratio=(1, 1, 1))
    write_release(folder, release_of(items, EPITOME, request=request, name=name))
    return import_release(study=study, folder=folder, actor=study.created_by, now=NOW)


def _judged(number: int, annotators: int) -> JudgedItem:
    made = example(EPITOME, number)
    empty = said(dict.fromkeys(CODES, 0))
    answers = {
        name: empty if name == NAMES[2] and number % 4 == 0 else answers_of(EPITOME, made)
        for name in NAMES[:annotators]
    }
    found = judged(made.item_id, answers, codebook=EPITOME, with_texts=True)
    text = made.text
    item = replace(found.item, texts=Texts(text.title, text.post, text.reply))
    given = tuple(GivenAnswer(name, edition_hash(EPITOME), answer) for name, answer in answers.items())
    return JudgedItem(item, text, given, None)


def n_tested(release: Release) -> int:
    return sum(row.split is SplitPart.TEST for row in rows_of(release))


def right_labels(release: Release) -> bytes:
    """What the first annotator says of every item, as a table."""
    lines = [",".join(("item_id", *CODES))]
    for row in rows_of(release):
        values = {label.code: label.votes[0].value for label in row.labels}
        lines.append(",".join((row.item.item_id, *(str(values[code]) for code in CODES))))
    return "\n".join(lines).encode()
