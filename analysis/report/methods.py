"""The methods of a report as paragraphs, from what is known and what was computed. What is not known is left out."""

from collections.abc import Sequence

from analysis.preregistration import PlannedContrast, plan_in_words
from analysis.report.content import Paragraph, Section
from analysis.report.facts import CommunityFacts, CorpusFacts, GoldFacts, left_out_words
from analysis.report.material import Material, PartMaterial
from analysis.report.methods_annotation import describe_annotation, describe_model
from analysis.report.registry import Methods, section_kinds
from analysis.report.wording import errors, in_order
from analysis.surrogate import Surrogate
from analysis.values import Way


def methods_of(material: Material, sections: Sequence[Section]) -> tuple[Paragraph, ...]:
    made = {
        "Data": _describe_data(material),
        "Annotation": describe_annotation(material.facts),
        "Model": describe_model(material),
        "Analysis": _describe_analyses(material, sections),
        "Correction": _describe_correction(material),
        "Pre-registration": _describe_plan(material, sections),
        "Software": _describe_software(material),
    }
    return tuple(Paragraph(title=title, text=" ".join(said)) for title, said in made.items() if said)


def _describe_plan(material: Material, sections: Sequence[Section]) -> list[str]:
    """What was planned before there were labels, and what came of it in this report."""
    if material.facts.plan is None:
        return []
    codes = tuple(sorted({code for part in material.parts for code in part.corpus.codes}))
    made = tuple(PlannedContrast(section.name, codes) for section in sections if section.tables)
    return plan_in_words(material.facts.plan, made)


def _describe_software(material: Material) -> list[str]:
    facts, said = material.facts, []
    if facts.software:
        said.append(f"All tables and figures were made with {facts.software}.")
    if facts.seed is not None:
        said.append(f"Random draws used the seed {facts.seed}.")
    return said


def _describe_analyses(material: Material, sections: Sequence[Section]) -> list[str]:
    """Section by section; what one could not compute is not claimed."""
    done = {section.name for section in sections if section.tables}
    if not done:
        return []
    of_methods: dict[Methods, list[str]] = {}
    for kind in section_kinds():
        if kind.id in done and kind.methods:
            of_methods.setdefault(kind.methods, []).append(kind.id)
    said = [f"Intervals are 95% intervals{errors(material.clustered_by)}."]
    for methods, names in of_methods.items():
        said += methods.say(material, names)
    return [
        *said,
        *_describe_adjustment(material, [methods.family for methods in of_methods if methods.family]),
    ]


def _describe_adjustment(material: Material, families: Sequence[str]) -> list[str]:
    """Which tests were corrected for together."""
    if not families:
        return []
    apart = ["each kind of test"]
    apart += ["posts and replies"] if len(material.parts) > 1 else []
    apart += ["naive estimates, those from gold alone and corrected ones"] if len(material.ways) > 1 else []
    return [
        f"p-values were adjusted by Holm's method within a table ({', '.join(apart)} apart): {'; '.join(families)}."
        " Those by Benjamini and Hochberg are in the files beside them.",
    ]


_MOST_LISTED = 12


def _describe_data(material: Material) -> list[str]:
    if not material.parts:
        return []
    counted = in_order([f"{len(part.corpus):,} {part.things}" for part in material.parts])
    corpus = material.facts.corpus
    of_corpus = f" of the corpus “{corpus.name}”" if corpus else ""
    communities = {name for part in material.parts for name in part.corpus.groups("community").names}
    noun = "community" if len(communities) == 1 else "communities"
    said = [f"We analysed {counted} from {len(communities):,} {noun}{of_corpus}."]
    return [*said, *_of_corpus(corpus)] if corpus else said


def _of_corpus(corpus: CorpusFacts) -> list[str]:
    said = []
    if corpus.labelled:
        said.append(f"Labels were made for {corpus.labelled.rstrip('.')}.")
    if 0 < len(corpus.communities) <= _MOST_LISTED:
        said.append(f"By community these are {'; '.join(_community(each) for each in corpus.communities)}.")
    return [*said, *corpus.samples]


def _community(each: CommunityFacts) -> str:
    about = [each.platform, each.topic, f"{each.n_posts:,} posts", f"{each.n_replies:,} replies"]
    return f"{each.name} ({', '.join(word for word in about if word)})"


def _describe_correction(material: Material) -> list[str]:
    if not material.parts:
        return []
    corrected = [part for part in material.parts if Way.CORRECTED in part.values]
    if not corrected:
        return [
            "All estimates are naive: they take the model's labels as right, and their intervals know nothing of its"
            " errors."
        ]
    gold = in_order([f"{len(part.corpus.drawn()):,} {part.things}" for part in corrected])
    facts = material.facts.gold
    drawn = f", drawn {facts.drawn.rstrip('.')}" if facts and facts.drawn else ""
    said = [
        "Estimates on a model's labels are biased by its errors. Each is therefore also given from gold alone, the"
        " settled labels weighted by the inverse of the probability with which the item was drawn for them, and"
        " corrected: the estimate from gold, less λ times the difference between the model's estimate on the items with"
        " gold and its estimate on all (design-based supervised learning, Egami, Hinck, Stewart and Wei, 2023; power"
        " tuning, Angelopoulos, Duchi and Zrnic, 2023). λ was chosen for each estimate where its variance is least,"
        " between 0, gold alone, and 1, so that a poor model does no harm; it stands beside each estimate in the"
        " files.",
        _surrogate(corrected, material),
        f"Settled labels with known probabilities were there for {gold}{drawn}.",
        _seen_by_model(corrected, facts),
        *_left_out(corrected, facts),
    ]
    naive = [part.things for part in material.parts if part not in corrected]
    if naive:
        said.append(f"Estimates on {in_order(naive)} are naive only.")
    return said


def _surrogate(corrected: list[PartMaterial], material: Material) -> str:
    """What the model's estimates in the correction are made of."""
    with_chances = [part.things for part in corrected if _has_probabilities(part)]
    if with_chances and len(with_chances) == len(corrected):
        return "In the correction, the model's labels are its probabilities; naive estimates are of its decisions."
    if with_chances:
        things = in_order(with_chances)
        return f"In the correction, the model's labels are its probabilities in {things}, else its decisions."
    asked = ", as was asked for" if material.options.surrogate is Surrogate.DECISION else ""
    return f"In the correction, the model's labels are its decisions{asked}, as in naive estimates."


def _has_probabilities(part: PartMaterial) -> bool:
    columns = part.values[Way.CORRECTED].items.columns
    return any(name.startswith("probability.") for name in columns)


def _seen_by_model(corrected: list[PartMaterial], facts: GoldFacts | None) -> str:
    because = f": {facts.unseen_because.rstrip('.')}" if facts and facts.unseen_because else ""
    is_recorded = all("seen_in_training" in part.corpus.items.columns for part in corrected)
    if is_recorded or (facts and facts.is_unseen):
        return f"The model had learned from none of these items{because}."
    if facts and facts.is_unseen is False:
        return (
            "The model had learned from some of these items, where it errs less than elsewhere, so that the correction"
            " is too small."
        )
    return "Whether the model had learned from any of these items was not recorded."


def _left_out(corrected: list[PartMaterial], facts: GoldFacts | None) -> list[str]:
    """What the release has besides."""
    found = [(part.things, facts.left_out_of(part.corpus.part)) for part in corrected] if facts else []
    told = [f"{each.n:,} {things} ({left_out_words(each)})" for things, each in found if each.n]
    return [f"Other settled labels were not used, of {in_order(told)}."] if told else []
