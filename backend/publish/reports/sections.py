"""Which sections a report can have, known without loading what makes them."""

from __future__ import annotations

from collections.abc import Sequence

from backend.publish.reports.errors import UnknownSections

SECTIONS = {
    "overall": "How often each code is found",
    "platforms": "How platforms differ",
    "topics": "How topics differ",
    "communities": "How communities differ",
    "distribution": "What is found where",
    "together-posts": "What goes together in posts",
    "together-replies": "What goes together in replies",
    "post-to-reply": "What posts ask and what replies give",
    "replies": "Which posts get more replies",
    "answered": "Which replies the poster answers",
    "accepted": "Which replies the poster accepts",
    "over-time": "How codes change over time",
}


def refuse_unknown(wanted: Sequence[str]) -> None:
    if unknown := sorted(set(wanted) - set(SECTIONS)):
        raise UnknownSections(unknown, list(SECTIONS))
