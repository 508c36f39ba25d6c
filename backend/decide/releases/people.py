"""Pseudonyms of annotators and adjudicators: the same in all releases of a study, nothing to others without its key."""

from __future__ import annotations

import hashlib

from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.design.corpora.selectors import pseudonym_key
from corpus.pseudonyms import Pseudonyms


class People:
    """By account number, because people may change their names.

    The key is not that of the corpora: an annotator who also wrote a post must not be recognised by it.
    """

    def __init__(self, study: Study) -> None:
        key = hashlib.blake2b(b"annotators of releases", key=pseudonym_key(study), digest_size=32).digest()
        self._pseudonyms = Pseudonyms(key)

    def pseudonym(self, user_id: int) -> str:
        return self._pseudonyms.of(f"account {user_id}") or ""


def names_by_pseudonym(study: Study) -> dict[str, str]:
    """Whom a researcher of the study may see behind the pseudonyms of its own releases."""
    people = People(study)
    known = User.objects.filter(assignments__batch__study=study) | User.objects.filter(
        memberships__study=study
    )
    return {people.pseudonym(user.pk): str(user) for user in known.distinct()}
