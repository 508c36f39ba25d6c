"""A release in which the post decides: the same kind words count under a sad post alone."""

from __future__ import annotations

import csv
from pathlib import Path

from annotation.release.files import write_release
from annotation.release.labelled_table import read_labelled_tables
from annotation.release.release_from_table import ImportRequest, release_from_tables
from annotation.release.table_items import LabelColumn, TextColumns
from codebook.schema import Codebook
from codebook.shipped import load_shipped
from tests.annotation.release.fixtures import NOW

EPITOME = load_shipped("epitome")
CODE = "emotional-reactions"
SAD, GLAD, KIND, PLAIN = (
    "everything broke today",
    "we bake bread today",
    "so sorry to hear it",
    "see you at nine",
)


def pairs(n: int) -> list[tuple[str, str, int]]:
    """Post, reply and level; half of the posts are sad, half of the replies of either are kind."""
    found = []
    for number in range(n):
        post, reply = (SAD, GLAD)[number % 2], (KIND, PLAIN)[number // 2 % 2]
        level = 2 if (post, reply) == (SAD, KIND) else 0
        found.append((f"Number {number}: {post}.", f"Hello {number}. I am {reply}.", level))
    return found


def context_release(folder: Path, n: int = 80, *, codebook: Codebook = EPITOME) -> Path:
    table = folder / "pairs.csv"
    with table.open("w", newline="", encoding="utf-8") as handle:
        rows = csv.writer(handle)
        rows.writerow(["post", "reply", "level", "quote"])
        for post, reply, level in pairs(n):
            rows.writerow([post, reply, level, KIND if level else ""])
    takes_quotes = codebook.questions[0].answer.takes_evidence
    columns = [LabelColumn(CODE, table, "level", "quote" if takes_quotes else None)]
    tables = read_labelled_tables(codebook, TextColumns("post", "reply"), columns)
    target = folder / "release"
    request = ImportRequest("Context", "table", (6, 2, 2), 3, licence="")
    write_release(target, release_from_tables(tables, codebook, request, now=NOW))
    return target
