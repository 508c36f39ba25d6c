"""Whether gold can correct a corpus, and if not, why and what to do."""

from dataclasses import replace

from analysis.errors import GoldMissing, NotAnalysable
from analysis.labelled import LabelledCorpus
from analysis.labels import labels_of
from analysis.report.facts import GoldFacts, left_out_words
from analysis.values import Way


def keep_correctable(
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
            f"No {corpus.things} have gold that can be used, so that all estimates on them are naive: they treat the"
            " model's labels as right.",
            *unlike,
            *_what_to_do(corpus, gold),
        )
    if not without:
        return corpus, unlike
    quoted = ", ".join(f"“{name}”" for name in without)
    said = f"There is no gold for {quoted} in {corpus.things}: corrected estimates leave them out."
    return replace(corpus, codes=kept), (*unlike, said)


def _what_to_do(corpus: LabelledCorpus, gold: GoldFacts | None) -> tuple[str, ...]:
    """Nothing more where all codes were asked otherwise."""
    if gold and set(corpus.codes) <= set(gold.unlike):
        return ()
    left_out = gold.left_out_of(corpus.part) if gold else None
    if left_out is None or not left_out.n:
        return ("Name a release whose items were drawn from this corpus, and make the report again.",)
    return (
        f"The release has gold for {left_out.n:,} {corpus.things}: {left_out_words(left_out)}. Name one with drawn"
        " items that the model has not learned from and that were judged without its suggestions.",
    )


def _unlike(corpus: LabelledCorpus, gold: GoldFacts | None) -> tuple[str, ...]:
    names = [name for code, name in corpus.codes.items() if gold and code in gold.unlike]
    if not names:
        return ()
    quoted = ", ".join(f"“{name}”" for name in names)
    return (
        f"Gold for {quoted} in {corpus.things} was not used: the release's edition of the codebook asks otherwise than"
        " the one that the model labelled by. Name a release that was frozen under the model's edition.",
    )
