"""Whether gold can correct a corpus, and if not, why and what to do."""

from dataclasses import replace

from analysis.errors import GoldMissing, NotAnalysable
from analysis.labelled import LabelledCorpus
from analysis.labels import labels_of
from analysis.report.facts import GoldFacts
from analysis.values import Way


def correctable(
    corpus: LabelledCorpus, gold: GoldFacts | None = None
) -> tuple[LabelledCorpus | None, tuple[str, ...]]:
    """The corpus of the codes that have gold, and what is to be said about the others; None where nothing can be
    corrected."""
    unlike = _unlike(corpus, gold)
    kept: dict[str, str] = {}
    without: list[str] = []
    for code, name in corpus.codes.items():
        try:
            labels_of(corpus, code, Way.CORRECTED)
            kept[code] = name
        except GoldMissing:
            without.append(name)
        except NotAnalysable as problem:
            return None, (f"Estimates on {corpus.things} could not be corrected. {problem}",)
    if not kept:
        return None, (
            *unlike,
            f"No {corpus.things} have gold with a known probability of having been drawn, so that all estimates on"
            " them are naive: they treat the model's labels as right. Name a release whose items were drawn from this"
            " corpus, and make the report again.",
        )
    if not without:
        return corpus, unlike
    quoted = ", ".join(f"“{name}”" for name in without)
    said = f"There is no gold for {quoted} in {corpus.things}: corrected estimates leave them out."
    return replace(corpus, codes=kept), (*unlike, said)


def _unlike(corpus: LabelledCorpus, gold: GoldFacts | None) -> tuple[str, ...]:
    names = [name for code, name in corpus.codes.items() if gold and code in gold.unlike]
    if not names:
        return ()
    quoted = ", ".join(f"“{name}”" for name in names)
    return (
        f"Gold for {quoted} in {corpus.things} was not used: the release's edition of the codebook asks otherwise than"
        " the one that the model labelled by. Name a release that was frozen under the model's edition.",
    )
