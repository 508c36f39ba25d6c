"""Final labels from answers and decisions, each with how it came about.

What was judged under the target's own definition goes before what was judged under an older one. Then: a decision;
what all annotators say (two or more); the only annotator's answer; and where they disagree, what the release asks for:
the chosen method for ticks and levels, the lower median for scales, each sentence by majority for marked sentences.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median_low

from annotation.consensus.methods import consensus
from annotation.consensus.values import NO_LABEL, Method, SpanRule, Ties
from annotation.consensus.votes import votes_from
from annotation.release.cases import Case, cases_of, known_values
from annotation.release.evidence import VotedSentences, merge_evidence, own_evidence, vote_on_sentences
from annotation.release.judged_items import JudgedItem
from annotation.release.rows import Evidence, FinalLabel, LabelSource, SpanSource
from annotation.release.soft_labels import shares_of
from annotation.release.superseded import Definitions, Superseded
from codebook.schema import AnswerKind, Codebook


@dataclass(frozen=True, slots=True)
class LabelRules:
    """`seed` is for methods that start at random and for ties; without `singles`, what one annotator said makes no
    label. `ties` says what becomes of items on which the majority is tied. With `soft`, labels have their shares."""

    method: Method
    spans: SpanRule
    superseded: Superseded
    seed: int
    singles: bool = True
    ties: Ties = Ties.SEED
    soft: bool = False


@dataclass(frozen=True, slots=True)
class FinalLabels:
    """Labels by item id; `notes` by code, what the method says of itself where it had to settle anything."""

    by_item: dict[str, tuple[FinalLabel, ...]]
    notes: dict[str, str]


def final_labels(
    items: Sequence[JudgedItem], target: Codebook, editions: Mapping[str, Codebook], rules: LabelRules
) -> FinalLabels:
    """For every code that the target edition asks about an item.

    `editions` holds by hash every edition that answers or decisions were made under.
    """
    definitions = Definitions(target, editions)
    cases = [case for judged in items for case in cases_of(judged, target, definitions)]
    voted, notes = _vote(cases, rules)
    for code, count in Counter(case.code for case in cases if case.is_unsettled).items():
        note = (
            f"{count:,} {'item was' if count == 1 else 'items were'} judged under codes that were split or merged "
            "since, in a way that does not settle this one. Labels that were carried over are not like those that "
            "were not: their share says little before a sample is judged again."
        )
        notes[code] = f"{notes[code]} {note}" if notes.get(code) else note
    labels: dict[str, list[FinalLabel]] = {judged.item.item_id: [] for judged in items}
    for case in cases:
        label = _label(case, voted, rules)
        if rules.soft:
            label = replace(label, shares=shares_of(case.values, known_values(case.question)))
        labels[case.judged.item.item_id].append(label)
    return FinalLabels({item_id: tuple(found) for item_id, found in labels.items()}, notes)


_Voted = dict[tuple[str, str], tuple[int, float]]


def _vote(cases: Sequence[Case], rules: LabelRules) -> tuple[_Voted, dict[str, str]]:
    """The method's label and its confidence by code and item, from all answers to the code in the release; and its
    note by code."""
    by_code: dict[str, list[Case]] = {}
    for case in cases:
        is_left_out = rules.superseded.leaves_out(case.is_superseded)
        if case.question.answer in (AnswerKind.TICK, AnswerKind.LEVELS) and case.votes and not is_left_out:
            by_code.setdefault(case.code, []).append(case)
    found: _Voted = {}
    notes = {}
    for code, asked in by_code.items():
        if not any(case.is_disputed for case in asked):
            continue
        votes = votes_from(
            (case.judged.item.item_id, vote.annotator, str(vote.value))
            for case in asked
            for vote in case.votes
        )
        result = consensus(votes, rules.method, seed=rules.seed, ties=rules.ties)
        notes[code] = result.note
        for place, item in enumerate(votes.items):
            if result.label[place] != NO_LABEL:
                value = int(votes.labels[result.label[place]])
                found[code, item] = (value, float(result.confidence[place]))
    return found, notes


def _label(case: Case, voted: _Voted, rules: LabelRules) -> FinalLabel:
    if case.is_unsettled:
        return _missing(case, LabelSource.NOT_CARRIED)
    if case.decision is None and not case.votes:
        return _missing(case, LabelSource.NOT_ASKED)
    if rules.superseded.leaves_out(case.is_superseded):
        return _missing(case, LabelSource.SUPERSEDED)
    if not rules.singles and case.decision is None and len(case.votes) == 1:
        return _missing(case, LabelSource.TOO_FEW)
    if _is_open_tie(case, rules):
        return _missing(case, LabelSource.OPEN_TIE)
    value, source, confidence, evidence = _settle(case, voted, rules)
    judged_under = case.decision or max(case.votes, key=lambda vote: (vote.value == value, vote.edition))
    return FinalLabel(
        code=case.code,
        value=value,
        source=source,
        confidence=confidence,
        weight=rules.superseded.weight_of(case.is_superseded),
        edition=judged_under.edition,
        is_superseded=case.is_superseded,
        n_annotators=len(case.votes),
        evidence=evidence,
        votes=case.votes,
        decision=case.judged.decision.fact if case.decision and case.judged.decision else None,
    )


def _is_open_tie(case: Case, rules: LabelRules) -> bool:
    if rules.ties is not Ties.NONE or case.decision is not None:
        return False
    if case.question.answer is AnswerKind.SENTENCES:
        return case.is_disputed and _sentences_of(case, rules).is_tied
    is_voted_on = case.question.answer in (AnswerKind.TICK, AnswerKind.LEVELS)
    return rules.method is Method.MAJORITY and is_voted_on and case.is_tied


def _sentences_of(case: Case, rules: LabelRules) -> VotedSentences:
    return vote_on_sentences(case.votes, item=case.judged.item.item_id, ties=rules.ties, seed=rules.seed)


def _missing(case: Case, source: LabelSource) -> FinalLabel:
    return FinalLabel(
        code=case.code,
        value=None,
        source=source,
        confidence=None,
        weight=0.0,
        edition=None,
        is_superseded=source is LabelSource.SUPERSEDED,
        n_annotators=len(case.votes),
        evidence=Evidence(),
        votes=case.votes,
        decision=None,
    )


_Settled = tuple[int, LabelSource, float, Evidence]


def _settle(case: Case, voted: _Voted, rules: LabelRules) -> _Settled:
    if case.decision is not None:
        evidence = own_evidence(case.decision.words, SpanSource.ADJUDICATED)
        return case.decision.value, LabelSource.ADJUDICATED, 1.0, evidence
    if case.is_disputed:
        return _dispute(case, voted, rules)
    source = LabelSource.AGREED if len(case.votes) > 1 else LabelSource.SINGLE
    value = case.votes[0].value
    return value, source, 1.0, _evidence(case, value, rules)


def _dispute(case: Case, voted: _Voted, rules: LabelRules) -> _Settled:
    if case.question.answer is AnswerKind.SENTENCES:
        voted_on = _sentences_of(case, rules)
        source = LabelSource.TIE if voted_on.is_tied else LabelSource.MAJORITY
        return int(bool(voted_on.evidence.snippets)), source, voted_on.confidence, voted_on.evidence
    if case.question.answer is AnswerKind.SCALE:
        value = median_low(case.values)
        return value, LabelSource.MEDIAN, case.values.count(value) / len(case.values), Evidence()
    value, confidence = voted[case.code, case.judged.item.item_id]
    is_tie = rules.method is Method.MAJORITY and case.is_tied
    source = LabelSource.TIE if is_tie else LabelSource(rules.method.value)
    return value, source, confidence, _evidence(case, value, rules)


def _evidence(case: Case, value: int, rules: LabelRules) -> Evidence:
    """Only of those who gave the final value: the others' words speak for another one."""
    part = case.question.part
    marked = [vote.words for vote in case.votes if vote.value == value]
    return merge_evidence(case.judged.text.text_of(part) or "", part, marked, rules.spans)
