"""What the methods say of annotators and the model: codebook, agreement, release, and how good the labels are."""

from collections.abc import Sequence

from analysis.report.facts import AnnotationFacts, CodebookFacts, ModelFacts, ReleaseFacts, ReportFacts, Score
from analysis.report.material import Material
from analysis.report.wording import in_order

_MOST_LISTED = 15


def scores_in_words(scores: Sequence[Score], facts: ReportFacts) -> str:
    """Each one for a dozen codes, else the lowest, the highest and the middle. What is undefined is named."""
    known = [score for score in scores if score.value is not None]
    without = [_name(score, facts) for score in scores if score.value is None]
    if not known:
        return "undefined for all codes"
    if len(known) <= _MOST_LISTED:
        words = in_order([f"{_value(score)} for {_name(score, facts)}" for score in known])
    else:
        ranked = sorted(known, key=lambda score: score.value or 0)
        low, middle, high = ranked[0], ranked[len(ranked) // 2], ranked[-1]
        words = (
            f"between {low.value:.2f} ({_name(low, facts)}) and {high.value:.2f} ({_name(high, facts)}) for"
            f" {len(known)} codes, with {middle.value:.2f} in the middle"
        )
    return f"{words}, and undefined for {in_order(without)}" if without else words


def _value(score: Score) -> str:
    if score.low is None or score.high is None:
        return f"{score.value:.2f}"
    return f"{score.value:.2f} (95% interval {score.low:.2f} to {score.high:.2f})"


def _name(score: Score, facts: ReportFacts) -> str:
    known = facts.code(score.code)
    return f"“{known.name if known else score.code}”"


_HASH = 12
_PURPOSES = {"train": "training", "test": "testing"}


def describe_annotation(facts: ReportFacts) -> list[str]:
    said = [_codebook(facts.codebook, facts.release)]
    if facts.annotation:
        said += _agreement(facts.annotation, facts)
    if facts.release:
        said.append(_release(facts.release))
    return said


def _codebook(codebook: CodebookFacts, release: ReleaseFacts | None) -> str:
    """A release may be of another edition than the one that the model labels by."""
    own = _edition(codebook.edition, codebook.edition_hash)
    codes = f" It has {len(codebook.codes)} codes." if codebook.codes else ""
    judged = _edition(release.edition, release.edition_hash) if release else ""
    if not judged or judged == own:
        return f"Items were judged by the codebook “{codebook.title}”{own}.{codes}"
    return (
        f"Items were judged by the codebook “{codebook.title}”{judged}. The model labelled by it{own}.{codes}"
    )


def _edition(number: int | None, edition_hash: str) -> str:
    stamp = f" (sha256 {edition_hash[:_HASH]}…)" if edition_hash else ""
    return stamp if number is None else f", edition {number}{stamp}"


def _agreement(known: AnnotationFacts, facts: ReportFacts) -> list[str]:
    said = []
    if known.n_annotators:
        people = "One annotator" if known.n_annotators == 1 else f"{known.n_annotators} annotators"
        said.append(f"{people} took part.")
    if known.agreement and known.measure:
        on = f" on {known.n_items:,} items that several of them judged" if known.n_items else ""
        said.append(
            f"Agreement{on}, measured by {known.measure}, was {scores_in_words(known.agreement, facts)}."
        )
    return said


def _release(release: ReleaseFacts) -> str:
    number = "" if release.number is None else f"release {release.number}, "
    items = "" if release.n_items is None else f", {release.n_items:,} items"
    stamp = f" (sha256 {release.release_hash[:_HASH]}…{items})" if release.release_hash else ""
    parts = (
        in_order([f"{n:,} for {_PURPOSES.get(name, name)}" for name, n in release.split.items()])
        if release.split
        else ""
    )
    divided = f", divided into {parts}" if parts else ""
    return f"Settled labels were frozen as {number}“{release.name}”{stamp}{divided}."


def describe_model(material: Material) -> list[str]:
    known = material.facts.model
    return [*(_of(known, material.facts) if known else ()), *material.level_notes]


def _of(known: ModelFacts, facts: ReportFacts) -> list[str]:
    learner = known.learner or "a model"
    how = f" ({known.configuration})" if known.configuration else ""
    said = [f"All items were labelled by {learner}{how}, kept as adapter {known.adapter}."]
    if known.promotion:
        said.append(known.promotion)
    if known.scores and known.measure:
        on = f"On {known.measured_on}, its" if known.measured_on else "Its"
        said.append(f"{on} {known.measure} was {scores_in_words(known.scores, facts)}.")
    if known.probe:
        said.append(known.probe)
    return said
