"""Who judged what with which codebook, how well they agreed, and what was frozen."""

from analysis.report.facts import AnnotationFacts, CodebookFacts, ReleaseFacts, ReportFacts
from analysis.report.methods.scores import scores_in_words
from analysis.report.wording import in_order

_HASH = 12
_PURPOSES = {"train": "training", "test": "testing"}


def annotation(facts: ReportFacts) -> list[str]:
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
