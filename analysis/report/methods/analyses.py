"""What was computed, section by section; what a section could not compute is not claimed."""

from collections.abc import Sequence

from analysis.report.content import Section
from analysis.report.material import Material
from analysis.report.wording import errors, in_order
from analysis.values import Way

_PLURALS = ("platforms", "topics", "communities")
_OUTCOMES = {
    "replies": "the number of replies to posts",
    "answered": "whether the poster answered a reply",
    "accepted": "whether the poster accepted a reply",
}


def analyses(material: Material, sections: Sequence[Section]) -> list[str]:
    done = {section.name for section in sections if section.tables}
    if not done:
        return []
    naive = "On the model's labels as they are, " if Way.CORRECTED in material.ways else ""
    said = [f"Intervals are 95% intervals{errors(material.clustered_by)}."]
    said += _shares(done, naive)
    said += _outcomes(done, naive, material)
    said += _others(done)
    said += _adjusted(done, material)
    return said


def _shares(done: set[str], naive: str) -> list[str]:
    groups = [name for name in _PLURALS if name in done]
    if not groups:
        return []
    tested = (
        f"{naive}{'s' if naive else 'S'}hares of codes were compared between {in_order(groups)} with Pearson's χ² (with"
        " Yates' correction for two groups) and Cramér's V."
    )
    return [
        tested,
        "Differences are from the mean of the groups, each of which counts the same. Wald's test, which does not take"
        " items as independent, stands beside.",
    ]


def _outcomes(done: set[str], naive: str, material: Material) -> list[str]:
    known = [text for name, text in _OUTCOMES.items() if name in done]
    if not known:
        return []
    return [
        f"{naive}{'i' if naive else 'I'}tems with and without each code were compared by {in_order(known)} with Welch's"
        " t-test and Cohen's d in each community, and by linear"
        f"{' and logistic' if done & {'answered', 'accepted'} else ''} regressions that hold"
        f" {material.held_equal} equal{errors(material.clustered_by)}.",
        "Neither shows that one causes the other.",
    ]


def _others(done: set[str]) -> list[str]:
    said = []
    inside = [name.removeprefix("together-") for name in sorted(done) if name.startswith("together-")]
    if inside:
        said.append(
            f"Co-occurrence of codes in {in_order(inside)} is their correlation (φ for ticks) by community."
        )
    if "post-to-reply" in done:
        said.append("Codes of posts were correlated with those of each of their replies.")
    if "distribution" in done:
        said.append("Distributions are shares of all that is found in a community.")
    if "over-time" in done:
        said.append("Change over time is the slope of the line through all items, beside means by period.")
    if "since-joining" in done:
        said.append(
            "Change since authors joined counts from their first item, with errors clustered by author."
        )
    return said


def _adjusted(done: set[str], material: Material) -> list[str]:
    """Which tests were corrected for together."""
    families = []
    if done & set(_PLURALS):
        families.append(
            "differences between groups over all codes and groups, tests of all groups over the codes"
        )
    if done & _OUTCOMES.keys():
        families.append(
            "differences and regressions by community over all codes and communities, regressions over all communities"
            " over the codes"
        )
    if "post-to-reply" in done or any(name.startswith("together-") for name in done):
        families.append("correlations over all pairs and communities")
    if done & {"over-time", "since-joining"}:
        families.append("trends over the codes")
    if not families:
        return []
    apart = ["each kind of test"]
    apart += ["posts and replies"] if len(material.parts) > 1 else []
    apart += ["naive and corrected estimates"] if len(material.ways) > 1 else []
    return [
        f"p-values were adjusted by Holm's method within a table ({', '.join(apart)} apart): {'; '.join(families)}."
        " Those by Benjamini and Hochberg are in the files beside them.",
    ]
