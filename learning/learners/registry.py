"""Finds the learners: every module beside this one that has a SPEC is one.

`python -m learning.learners.registry docs/models.md` writes their list there.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import learning.learners as package
from codebook.schema import Codebook
from learning.learners.spec import LearnerSpec

_IN_DOCS = re.compile(r"(?<=<!-- learners -->\n).*(?=<!-- end of learners -->)", re.DOTALL)


def _find_specs() -> tuple[LearnerSpec, ...]:
    names = [each.name for each in iter_modules(package.__path__) if each.name != "registry"]
    modules = [import_module(f"{package.__name__}.{name}") for name in names]
    found: list[LearnerSpec] = [module.SPEC for module in modules if hasattr(module, "SPEC")]
    return tuple(sorted(found, key=lambda spec: spec.rank))


LEARNERS = _find_specs()
READ_NOTHING = frozenset(each.name for each in LEARNERS if not each.reads_text)


class UnknownLearner(ValueError):
    def __init__(self, name: str) -> None:
        known = ", ".join(each.name for each in LEARNERS)
        super().__init__(f"There is no learner {name!r}: choose from {known}.")


def learner_spec(name: str) -> LearnerSpec:
    found = next((each for each in LEARNERS if each.name == name), None)
    if found is None:
        raise UnknownLearner(name)
    return found


def can_continue(name: str) -> bool:
    """Whether training can begin from an adapter of this learner."""
    return any(each.can_continue for each in LEARNERS if each.name == name)


def learners_for(codebook: Codebook) -> tuple[LearnerSpec, ...]:
    """Those that can learn at least one of its questions."""
    asked = {question.answer for question in codebook.questions}
    return tuple(each for each in LEARNERS if asked.intersection(each.answers))


def title_of(name: str) -> str:
    """Also of a learner that is not there any more, whose adapters are."""
    return next((each.title for each in LEARNERS if each.name == name), name)


def with_learners(markdown: str) -> str:
    """The page with the list of learners as it is now."""
    lines = ["| `--learner` | what it is | evidence |", "|---|---|---|"]
    for each in LEARNERS:
        name = f"`{each.name}`" + (" (default)" if each is LEARNERS[0] else "")
        lines.append(f"| {name} | {each.in_docs} | {each.evidence} |")
    return _IN_DOCS.sub(lambda _: "\n".join(lines) + "\n", markdown)


if __name__ == "__main__":
    for page in map(Path, sys.argv[1:]):
        page.write_text(with_learners(page.read_text()))
