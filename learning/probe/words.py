"""A probe in words: lines for a terminal, and the sentence for model cards, data cards and papers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from learning.probe.values import CodeProbe, ProbeReport, Rate
from learning.scoring.values import HEADLINE_WORDS, Difference


def probe_lines(report: ProbeReport) -> Iterator[str]:
    yield (
        f"{report.n_items:,} replies to {report.n_posts:,} posts of the {report.split} part; "
        f"{report.n_unrelated:,} unrelated posts ({report.unrelated})"
    )
    for code in report.codes:
        yield f"  {code.code_id}"
        yield f"    context gain   {HEADLINE_WORDS[code.metric]} {gain_words(code.context_gain)}"
        if code.probability_gain is not None:
            yield f"                   probability of the right answer {gain_words(code.probability_gain)}"
        yield from _rate_lines(code)
        yield from (f"    note           {note}" for note in code.notes)
    if report.mean_gain is not None and report.mean_metric is not None:
        yield f"  mean context gain: {HEADLINE_WORDS[report.mean_metric]} {gain_words(report.mean_gain)}"


def _rate_lines(code: CodeProbe) -> Iterator[str]:
    if code.swap is not None:
        yield f"    sensitivity    {rate_words(code.swap.sensitivity)} of its yes taken back under another's post"
    if code.insertion is not None:
        yield f"    insertion      {rate_words(code.insertion.rate)} yes under unrelated posts"
        yield f"                   {rate_words(code.insertion.own_posts)} the same replies under posts of the release"
        if code.insertion.without is not None:
            yield f"                   {rate_words(code.insertion.without)} unrelated replies with nothing put in"
        for each in code.insertion.utterances:
            yield f"                   {rate_words(each.rate)} “{each.text}”"
    if code.contradiction is not None:
        kept = code.contradiction.kept
        yield f"    contradiction  {rate_words(kept)} of {kept.n} yes kept with the event turned around"


def rate_words(rate: Rate) -> str:
    """
    >>> rate_words(Rate(0.5, 0.25, 0.75, 10, 10)), rate_words(Rate(None, None, None, 0, 0))
    ('50% [25%, 75%]', '–')
    """
    if rate.value is None:
        return "–"
    if rate.low is None or rate.high is None:
        return f"{rate.value:.0%}"
    return f"{rate.value:.0%} [{rate.low:.0%}, {rate.high:.0%}]"


def gain_words(gain: Difference) -> str:
    """The gain with its interval, and the two scores that it lies between."""
    if gain.value is None or gain.first is None or gain.second is None:
        return f"– ({gain.note})"
    interval = "" if gain.low is None or gain.high is None else f" [{gain.low:+.3f}, {gain.high:+.3f}]"
    return f"{gain.value:+.3f}{interval} ({gain.first:.3f} with the true post, {gain.second:.3f} with a random one)"


def probe_sentence(report: ProbeReport, names: Mapping[str, str]) -> str:
    """What a reader has to know about what the model looks at; `names` are those of the codes."""
    parts = []
    for code in report.codes:
        facts = []
        if code.context_gain.value is not None:
            facts.append(f"context gain in {HEADLINE_WORDS[code.metric]} {_format_signed(code.context_gain)}")
        if code.sensitivity is not None:
            facts.append(f"{rate_words(code.sensitivity)} of its yes taken back under another's post")
        if code.insertion is not None:
            facts.append(f"yes to {rate_words(code.insertion.rate)} of utterances put under unrelated posts")
        if facts:
            parts.append(f"{names.get(code.code_id, code.code_id)}: {', '.join(facts)}")
    return (
        f"A context probe on {report.n_items:,} replies to {report.n_posts:,} posts of the {report.split} part and "
        f"{report.n_unrelated:,} unrelated posts found, with 95% intervals over posts: {'; '.join(parts)}. "
        "A model that reads the reply alone has a context gain of 0."
    )


def _format_signed(gain: Difference) -> str:
    interval = "" if gain.low is None or gain.high is None else f" [{gain.low:+.2f}, {gain.high:+.2f}]"
    return f"{gain.value:+.2f}{interval}"
