"""The notes of a table's findings, each once with what it is about."""

from collections.abc import Mapping, Sequence

from analysis.values import Finding

_MOST_NAMED = 6


def notes_of(findings: Sequence[Finding], names: Mapping[str, str]) -> tuple[str, ...]:
    """
    >>> notes_of((), {})
    ()
    """
    about: dict[str, dict[str, None]] = {}
    for found in findings:
        if found.note:
            about.setdefault(found.note, {})[_what(found, names)] = None
    return tuple(f"{note} ({_some(list(what))})" for note, what in about.items())


def _what(found: Finding, names: Mapping[str, str]) -> str:
    codes = " and ".join(f"“{names.get(code, code)}”" for code in (found.code, found.other) if code)
    return f"{codes} in {found.where}" if found.where else codes


def _some(what: Sequence[str]) -> str:
    named = "; ".join(what[:_MOST_NAMED])
    more = len(what) - _MOST_NAMED
    return f"{named}; and {more} more" if more > 0 else named
