"""Whether a text is one of the study's own: annotators are not told what a model says of what they are to judge."""

from __future__ import annotations

from backend.core.studies.models import Study
from learning.suggestions.asking import TextAsked

# Shorter replies, such as a thank you, are everybody's.
SHORTEST_OWN_REPLY = 40


def belongs_to(study: Study, asked: TextAsked) -> bool:
    """Its post or its reply is that of an item, whatever became of spaces and capitals on the way, and whichever field
    the title was pasted into."""
    posts, reply = _posts(asked.title, asked.post), _plain(asked.reply or "")
    tells = len(reply) >= SHORTEST_OWN_REPLY
    texts = study.items.values_list("title", "post_text", "reply_text").order_by().iterator()
    return any(
        not posts.isdisjoint(_posts(title, post_text)) or (tells and _plain(reply_text or "") == reply)
        for title, post_text, reply_text in texts
    )


def _posts(title: str, body: str) -> set[str]:
    """A post with and without its title. A title alone is a post only where there is nothing else."""
    return {_plain(body), _plain(f"{title} {body}")} - {""}


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
