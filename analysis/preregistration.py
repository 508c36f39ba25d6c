"""A plan that is frozen before labels exist, and what became of it: as planned, not done, otherwise, or not planned.

Reports and pages say the same, because both ask `compare`. A deviation is no fault: it is what a reader has to know.
"""

import hashlib
from collections.abc import Iterable, Iterator
from enum import StrEnum

import msgspec


class PlannedEdition(msgspec.Struct, frozen=True, forbid_unknown_fields=True, order=True):
    number: int
    hash: str

    def __str__(self) -> str:
        return f"edition {self.number} ({self.hash[:8]})"


class PlannedSample(msgspec.Struct, frozen=True, forbid_unknown_fields=True, order=True):
    """`kind` is that of the design, as in `corpus.sampling.designs`; `n_items` counts items over all communities."""

    corpus: str
    kind: str
    n_items: int

    def __str__(self) -> str:
        return f"{self.n_items:,} items of “{self.corpus}” by {self.kind}"


class PlannedRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When a theme can be trusted, as in `annotation.agreement.trust_rule`."""

    measure: str
    bound: str
    at_least: float

    def __str__(self) -> str:
        return (
            f"{'lower bound of ' if self.bound == 'low' else ''}{self.measure} at least {self.at_least:.2f}"
        )


class PlannedContrast(msgspec.Struct, frozen=True, forbid_unknown_fields=True, order=True):
    """A section of reports, and the codes that it is about: all of them, if none is named."""

    section: str
    codes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.section} of {', '.join(self.codes) or 'all codes'}"


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`epsilon` is the cost of an annotator in the alternative-annotator test, if that is planned; `note` has the
    hypotheses, in words."""

    edition: PlannedEdition
    samples: tuple[PlannedSample, ...]
    agreement_rule: PlannedRule
    learners: tuple[str, ...]
    contrasts: tuple[PlannedContrast, ...]
    epsilon: float | None = None
    note: str = ""


class Done(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What there is so far; what is empty was not done yet. `epsilons` are all those that a test was run with."""

    editions: tuple[PlannedEdition, ...] = ()
    samples: tuple[PlannedSample, ...] = ()
    agreement_rule: PlannedRule | None = None
    learners: tuple[str, ...] = ()
    contrasts: tuple[PlannedContrast, ...] = ()
    epsilons: tuple[float, ...] = ()


class Outcome(StrEnum):
    AS_PLANNED = "as planned"
    NOT_DONE = "not done"
    DEVIATION = "deviation"
    NOT_PLANNED = "not planned"

    @property
    def is_deviation(self) -> bool:
        return self in (Outcome.DEVIATION, Outcome.NOT_PLANNED)


class Comparison(msgspec.Struct, frozen=True):
    """One thing that was planned or done; what was not planned has no `planned`, what was not done no `done`."""

    what: str
    planned: str
    done: str
    outcome: Outcome


class PlanFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A frozen plan as a report knows it; `done` is without the contrasts, which the report itself makes."""

    number: int
    hash: str
    frozen_on: str
    plan: Plan
    done: Done


def canonical(plan: Plan) -> str:
    """The JSON that is kept and hashed: the same plan gives the same, in whatever order it was put together."""
    sorted_plan = msgspec.structs.replace(
        plan,
        samples=tuple(sorted(set(plan.samples))),
        learners=tuple(sorted(set(plan.learners))),
        contrasts=tuple(
            sorted(
                PlannedContrast(each.section, tuple(sorted(set(each.codes)))) for each in set(plan.contrasts)
            )
        ),
    )
    return msgspec.json.encode(sorted_plan, order="deterministic").decode()


def plan_hash(plan: Plan) -> str:
    """The sha256 of the canonical form."""
    return hashlib.sha256(canonical(plan).encode()).hexdigest()


def read_plan(kept: str) -> Plan:
    return msgspec.json.decode(kept, type=Plan)


def compare(plan: Plan, done: Done) -> tuple[Comparison, ...]:
    """Everything that was planned, in the order of the plan, and then what was not.

    >>> rule = PlannedRule("fleiss_kappa", "low", 0.61)
    >>> one, two = PlannedEdition(1, "a" * 64), PlannedEdition(2, "b" * 64)
    >>> plan = Plan(edition=one, samples=(), agreement_rule=rule, learners=("tfidf",), contrasts=())
    >>> found = compare(plan, Done(editions=(two,), agreement_rule=rule))
    >>> [(each.what, each.outcome.value) for each in found]
    [('codebook', 'deviation'), ('agreement rule', 'as planned'), ('model', 'not done')]
    """
    found = [
        *_one("codebook", str(plan.edition), sorted(map(str, done.editions))),
        *_samples(plan.samples, done.samples),
        *_one(
            "agreement rule",
            str(plan.agreement_rule),
            [str(done.agreement_rule)] if done.agreement_rule else [],
        ),
        *_one("ε of the alternative-annotator test", _number(plan.epsilon), _numbers(done.epsilons)),
        *_each("model", plan.learners, done.learners),
        *_contrasts(plan.contrasts, done.contrasts),
    ]
    return tuple(sorted(found, key=lambda each: each.outcome is Outcome.NOT_PLANNED))


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


def _numbers(values: Iterable[float]) -> list[str]:
    return [_number(value) for value in sorted(set(values))]


def _one(what: str, planned: str, done: list[str]) -> Iterator[Comparison]:
    """Of which there can be one; nothing where it was neither planned nor done."""
    said = ", ".join(done)
    if planned:
        outcome = (
            Outcome.NOT_DONE if not done else Outcome.AS_PLANNED if done == [planned] else Outcome.DEVIATION
        )
        yield Comparison(what, planned, said, outcome)
    elif done:
        yield Comparison(what, "", said, Outcome.NOT_PLANNED)


def _each(what: str, planned: Iterable[str], done: Iterable[str]) -> Iterator[Comparison]:
    made, asked = set(done), set(planned)
    for each in sorted(asked):
        is_done = each in made
        yield Comparison(
            what, each, each if is_done else "", Outcome.AS_PLANNED if is_done else Outcome.NOT_DONE
        )
    for each in sorted(made - asked):
        yield Comparison(what, "", each, Outcome.NOT_PLANNED)


def _samples(planned: tuple[PlannedSample, ...], done: tuple[PlannedSample, ...]) -> Iterator[Comparison]:
    """A sample that was drawn stands for the planned one of the same corpus and design that is nearest in size."""
    left = sorted(done)
    for each in sorted(planned):
        alike = [own for own in left if (own.corpus, own.kind) == (each.corpus, each.kind)]
        if not alike:
            yield Comparison("sample", str(each), "", Outcome.NOT_DONE)
            continue
        nearest = min(alike, key=lambda own: abs(own.n_items - each.n_items))
        left.remove(nearest)
        outcome = Outcome.AS_PLANNED if nearest == each else Outcome.DEVIATION
        yield Comparison("sample", str(each), str(nearest), outcome)
    for own in left:
        yield Comparison("sample", "", str(own), Outcome.NOT_PLANNED)


def _contrasts(
    planned: tuple[PlannedContrast, ...], done: tuple[PlannedContrast, ...]
) -> Iterator[Comparison]:
    made = {each.section: each for each in done}
    for each in planned:
        own = made.get(each.section)
        if own is None:
            yield Comparison("contrast", str(each), "", Outcome.NOT_DONE)
        elif missing := set(each.codes) - set(own.codes):
            without = f"{each.section} without {', '.join(sorted(missing))}"
            yield Comparison("contrast", str(each), without, Outcome.DEVIATION)
        else:
            yield Comparison("contrast", str(each), str(each), Outcome.AS_PLANNED)
    for section in sorted(made.keys() - {each.section for each in planned}):
        yield Comparison("contrast", "", section, Outcome.NOT_PLANNED)


def plan_in_words(facts: PlanFacts, contrasts: tuple[PlannedContrast, ...]) -> list[str]:
    """Sentences for the methods: what was planned and when, what was done so, and every deviation."""
    found = compare(facts.plan, msgspec.structs.replace(facts.done, contrasts=contrasts))
    said = [f"Plan {facts.number} of the study was frozen on {facts.frozen_on} (sha256 {facts.hash})."]
    by_outcome = {outcome: [each for each in found if each.outcome is outcome] for outcome in Outcome}
    heads = {
        Outcome.AS_PLANNED: "Done as planned",
        Outcome.DEVIATION: "Done otherwise than planned",
        Outcome.NOT_DONE: "Planned and not part of this report",
        Outcome.NOT_PLANNED: "Not planned, and so exploratory",
    }
    for outcome, head in heads.items():
        if each_of := by_outcome[outcome]:
            said.append(f"{head}: {'; '.join(map(_in_words, each_of))}.")
    if not any(each.outcome.is_deviation for each in found):
        said.append("There was no deviation from the plan.")
    return said


def _in_words(each: Comparison) -> str:
    if each.outcome is Outcome.DEVIATION:
        return f"{each.what} (planned: {each.planned}; done: {each.done})"
    return f"{each.what} ({each.planned or each.done})"
