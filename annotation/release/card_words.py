"""How a data card says things: sources, reasons and numbers in words."""

from annotation.agreement.values import Estimate
from annotation.release.manifest import Request
from annotation.release.rows import LabelSource

SOURCE_WORDS = {
    LabelSource.ADJUDICATED: "decided by a researcher",
    LabelSource.AGREED: "two or more annotators said the same",
    LabelSource.SINGLE: "one annotator judged it",
    LabelSource.MAJORITY: "annotators differed; most said so",
    LabelSource.TIE: "annotators were tied; what the rule for ties says, or for a sentence: not marked",
    LabelSource.OPEN_TIE: "no label: annotators were tied",
    LabelSource.NOT_CARRIED: "no label: the code was split or merged since, and what was said does not settle it",
    LabelSource.DAWID_SKENE: "annotators differed; weighed by their estimated errors (Dawid–Skene)",
    LabelSource.MACE: "annotators differed; weighed by their estimated competence (MACE)",
    LabelSource.MEDIAN: "ratings differed; the middle one, the lower of two",
    LabelSource.IMPORTED: "came with the texts, in a table",
    LabelSource.NOT_ASKED: "no label: the code was not asked about the item",
    LabelSource.SUPERSEDED: "no label: it was made under a superseded definition",
    LabelSource.TOO_FEW: "no label: one annotator judged it, and that was not enough here",
    LabelSource.UNPLACED: "no label: the table says that there is such a sentence, and its quotes do not say which",
}
LEFT_OUT_WORDS = {
    "gold": "kept for practice with gold answers",
    "flag": "with a flag that nobody settled",
    "second-round": "waiting for a second adjudication or for its reconciling",
    "quarantined": "with answers in quarantine only",
    "skipped": "skipped by everybody who opened it",
    "unanswered": "given out and not answered yet",
    "disputed": "with a disagreement that nobody adjudicated",
    "single": "judged by one annotator only",
    "not-asked": "judged before any of the codes was in the codebook",
    "not-carried": "judged under codes that were split or merged since, in a way that settles nothing",
    "superseded": "with labels under superseded definitions only",
    "repeated": "that repeat another row of the table",
    "contradictory": "whose rows in the table contradict each other",
    "unlabelled": "without any label in the table",
    "unplaced": "whose only labels are sentences that no quote leads to",
}
_CONSENSUS_WORDS = {
    "majority": "Where annotators differ and nobody adjudicated, ticks and levels are those of the majority; a tie "
    "{ties}, and the label says that it was one.",
    "dawid-skene": "Where annotators differ and nobody adjudicated, ticks and levels are estimated after Dawid and "
    "Skene (1979) from all answers in the release.",
    "mace": "Where annotators differ and nobody adjudicated, ticks and levels are estimated with MACE (Hovy and "
    "others, 2013) from all answers in the release.",
    "none": "Items on which annotators differ and that nobody adjudicated are left out.",
}
_SCALES = " Ratings become their lower median, marked sentences are kept if most annotators marked them."
_SPANS_WORDS = {
    "union": "any of the annotators",
    "intersection": "all of the annotators",
    "majority": "more than half of the annotators",
}


TIES_WORDS = {
    "seed": "is decided by chance, by the seed",
    "none": "gets no label",
    "frequent": "goes to the answer that is more frequent overall",
}


def consensus_words(method: str, ties: str) -> str:
    return _CONSENSUS_WORDS[method].format(ties=TIES_WORDS[ties]) + ("" if method == "none" else _SCALES)


def spans_words(rule: str) -> str:
    fallback = " Where no word has so many behind it, all marked words are kept (union)."
    return (
        f"Snippets are the adjudicator's or the only annotator's own; else the words marked by {_SPANS_WORDS[rule]} "
        f"who gave the final answer.{fallback if rule == 'majority' else ''}"
    )


def superseded_words(request: Request, n: int) -> str:
    were = {
        "keep": "they are kept and marked",
        "leave-out": "they are left empty",
        "weight": f"they are kept, marked, and weigh {request.superseded_weight:g}",
    }[request.superseded]
    return f"{number_of(n, 'label')} made under a definition that has changed since: {were}."


def number_of(n: int, noun: str) -> str:
    """
    >>> number_of(1, "item"), number_of(1200, "item")
    ('1 item', '1,200 items')
    """
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def interval(estimate: Estimate | None) -> str:
    """
    >>> interval(Estimate(0.61, 0.5, 0.7, 10, 3, "")), interval(None)
    ('0.61 [0.50, 0.70]', '–')
    """
    if estimate is None or estimate.value is None:
        return "–"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.2f}"
    return f"{estimate.value:.2f} [{estimate.low:.2f}, {estimate.high:.2f}]"
