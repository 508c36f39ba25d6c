"""How often each code was judged as the team does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotation.gold_feedback import CodeFeedback, score
from codebook.schema import Code, Codebook


@dataclass(frozen=True, slots=True)
class CodeHits:
    code: Code
    matched: int
    items: int

    @property
    def share(self) -> float:
        return self.matched / self.items


def hits_by_code(codebook: Codebook, feedback: Sequence[CodeFeedback]) -> tuple[CodeHits, ...]:
    found = []
    for _, code in codebook.coded_questions():
        asked = [entry for entry in feedback if entry.code.id == code.id]
        if asked:
            found.append(CodeHits(code, score(asked).matched, len(asked)))
    return tuple(found)


def most_missed(hits: Iterable[CodeHits]) -> tuple[CodeHits, ...]:
    missed = [found for found in hits if found.matched < found.items]
    return tuple(sorted(missed, key=lambda found: found.share))
