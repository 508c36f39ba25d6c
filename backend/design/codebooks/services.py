"""What adds editions to a study's codebook."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.core.studies.services import record_event
from backend.design.codebooks.errors import EditionError, UnknownFormerCode
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import codebook_of
from codebook.editions import canonical_json, edition_hash
from codebook.loader import parse_codebook
from codebook.schema import Codebook


@transaction.atomic
def add_edition(
    *, study: Study, source: str, file_name: str, note: str, actor: User, now: datetime
) -> Edition:
    """Raises CodebookError with every problem of the file, or EditionError when there is nothing new to add."""
    parsed = parse_codebook(source, source=file_name)
    if not note.strip():
        raise EditionError("Say what changed and why: the note stays with the edition for good.")
    Study.objects.select_for_update().get(pk=study.pk)
    latest = study.editions.first()
    if latest and latest.name != parsed.name:
        raise EditionError(
            f"This study's codebook is named {latest.name}, the file's is named {parsed.name}. "
            "Keep the name, or start a study of its own for another codebook."
        )
    if latest:
        _refuse_unknown_origins(study, parsed)
    digest = edition_hash(parsed)
    same = study.editions.filter(hash=digest).first()
    if same:
        raise EditionError(f"Nothing differs from edition {same.number} in substance: no edition was added.")
    edition = Edition.objects.create(
        study=study,
        number=latest.number + 1 if latest else 1,
        name=parsed.name,
        title=parsed.title,
        hash=digest,
        canonical=canonical_json(parsed),
        source=source,
        note=note.strip(),
        created_by=actor,
        created_at=now,
    )
    record_event(study=study, actor=actor, summary=f"Added {edition}: {edition.note}", now=now)
    return edition


def _refuse_unknown_origins(study: Study, parsed: Codebook) -> None:
    """A slip in `formerly` would leave earlier answers behind without a word."""
    known = {
        code.id for edition in study.editions.all() for _, code in codebook_of(edition).coded_questions()
    }
    for _, code in parsed.coded_questions():
        for former in code.formerly:
            if former not in known:
                raise UnknownFormerCode(code.id, former, known)
