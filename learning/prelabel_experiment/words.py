"""What the comparison says, in plain words; and what it cannot say yet."""

from enum import StrEnum

from learning.prelabel_experiment.resampling import LEAST_POSTS
from learning.prelabel_experiment.values import Contrast, ExperimentReport


class Verdict(StrEnum):
    """`ANCHORED`: people say what the model says more often when they see it. `NOT_SEEN`: they may, by little."""

    TOO_FEW = "too few"
    ANCHORED = "anchored"
    NOT_SEEN = "not seen"
    AGAINST = "against"


def verdict(report: ExperimentReport) -> Verdict:
    found = report.with_model
    if found.low is None or found.high is None:
        return Verdict.TOO_FEW
    if found.low > 0:
        return Verdict.ANCHORED
    return Verdict.AGAINST if found.high < 0 else Verdict.NOT_SEEN


def conclusions(report: ExperimentReport, names: dict[str, str]) -> list[str]:
    """The verdict first; `names` are the codes' by id."""
    said = [_on_anchoring(report)]
    if verdict(report) is not Verdict.TOO_FEW:
        said.extend((_on_kept(report), _on_codes(report, names), _on_time(report.seconds)))
        said.append(_on_between(report.between))
    said.append(_on_unsound(report))
    return list(filter(None, said))


def _on_anchoring(report: ExperimentReport) -> str:
    found = report.with_model
    match verdict(report):
        case Verdict.TOO_FEW:
            return (
                f"Too little to tell. {_posts(report.blind.posts)} judged blind and {report.suggested.posts:,} with "
                f"suggestions are in so far; at least {LEAST_POSTS} of each are needed for an interval, and far more "
                "for a narrow one."
            )
        case Verdict.ANCHORED:
            return (
                f"Suggestions draw people towards the model: with them, {_points(found)} more of their answers are the "
                "model’s than without. Labels made with suggestions are not independent of the model, so only blind "
                "items measure it."
            )
        case Verdict.AGAINST:
            return (
                f"With suggestions, {_points(found)} fewer answers are the model’s than without: people may look for "
                "its mistakes. See whether time or care differ between the conditions."
            )
    return (
        f"No pull towards the model is to be seen: the conditions differ by {_points(found)} of answers. This does not "
        "prove that there is none; the interval says how large it could be."
    )


def _on_kept(report: ExperimentReport) -> str:
    kept = report.kept
    if kept.suggested.value is None or kept.blind.value is None:
        return ""
    return (
        f"Of what the model finds, annotators keep {kept.suggested.value:.0%} when it is suggested; when they are not "
        f"told, they find {kept.blind.value:.0%} of it by themselves."
    )


def _on_codes(report: ExperimentReport, names: dict[str, str]) -> str:
    more = [names[code.code_id] for code in report.codes if _is_shifted(code.prevalence, 1)]
    fewer = [names[code.code_id] for code in report.codes if _is_shifted(code.prevalence, -1)]
    if not more and not fewer:
        return (
            "No theme is clearly more or less common with suggestions, corrected for looking at all of them."
        )
    parts = [f"more often {', '.join(more)}"] if more else []
    parts += [f"less often {', '.join(fewer)}"] if fewer else []
    return f"With suggestions people find {'; '.join(parts)} (corrected for looking at all themes)."


def _is_shifted(found: Contrast, sign: int) -> bool:
    return found.is_clear and found.apart is not None and found.apart * sign > 0


def _on_time(found: Contrast) -> str:
    if found.low is None or found.high is None or found.apart is None:
        return ""
    span = f"({found.low:+.0f} to {found.high:+.0f} s)"
    if found.high < 0:
        return f"An item takes {-found.apart:.0f} s less with suggestions {span}, by the median."
    if found.low > 0:
        return f"An item takes {found.apart:.0f} s longer with suggestions {span}, by the median."
    return f"No clear difference in the time an item takes {span}, by the median."


def _on_between(found: Contrast) -> str:
    if found.low is None or found.high is None or found.low <= 0:
        return ""
    return (
        f"Annotators agree with each other on {_points(found)} more answers with suggestions. Do not take this for "
        "reliability: they have read the same suggestion."
    )


def _on_unsound(report: ExperimentReport) -> str:
    """Suggestions that are hard to mend show here before they show anywhere else."""
    blind, suggested = report.blind, report.suggested
    if not blind.unsound + suggested.unsound:
        return ""
    return (
        f"{suggested.unsound:,} of {suggested.answers:,} answers with suggestions and {blind.unsound:,} of "
        f"{blind.answers:,} blind ones came in with something missing or left over. They count with what they say."
    )


def _points(found: Contrast) -> str:
    """
    >>> from learning.prelabel_experiment.values import ConditionEstimate
    >>> none = ConditionEstimate(None, None, None, 0, 0)
    >>> _points(Contrast(none, none, 0.123, 0.04, 0.2, 0.01, 0.01))
    '12.3 points (4.0 to 20.0)'
    """
    apart, low, high = (100 * (each or 0) for each in (found.apart, found.low, found.high))
    if apart < 0 and high < 0:
        apart, low, high = -apart, -high, -low
    return f"{apart:.1f} points ({low:.1f} to {high:.1f})"


def _posts(n: int) -> str:
    return f"{n:,} post" if n == 1 else f"{n:,} posts"
