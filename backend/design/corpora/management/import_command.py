"""What the import commands share: who, into which corpus, and a line that shows progress, rate and time left."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from ninja import Schema
from pydantic import ValidationError

from backend.core.accounts.models import User
from backend.core.jobs.terminal import study_named
from backend.core.studies.models import Study
from backend.core.web.formats import duration, filesize
from backend.design.corpora.errors import CorporaError
from backend.design.corpora.import_requests import ImportRequest
from backend.design.corpora.models import Corpus
from backend.design.corpora.services import create_corpus, import_into
from corpus.errors import CorpusError
from corpus.progress import Progress


class ImportCommand(BaseCommand):
    """A subclass adds its own arguments and turns them into an import request."""

    def add_common_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")
        parser.add_argument(
            "corpus", help="The corpus's name; it is made if the study has none of that name."
        )
        parser.add_argument("--user", help="In whose name; by default whoever started the study.")

    @abstractmethod
    def add_arguments(self, parser: CommandParser) -> None:
        """The common ones, and those of the import."""

    @abstractmethod
    def import_request(self, options: dict[str, Any]) -> ImportRequest: ...

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        actor = self._actor(study, options["user"])
        try:
            outcome = import_into(
                corpus=self._corpus(study, options["corpus"], actor),
                request=self.import_request(options),
                resolve=Path,
                actor=actor,
                clock=timezone.now,
                on_progress=self._show,
            )
        except ValidationError as problem:
            raise CommandError("; ".join(str(error["msg"]) for error in problem.errors())) from problem
        except (CorpusError, CorporaError) as problem:
            raise CommandError(str(problem)) from problem
        self.stderr.write("", ending="\n")
        earlier = "Imported before, nothing was added: " if outcome.already_imported else ""
        self.stdout.write(earlier + outcome.summary)

    def _actor(self, study: Study, username: str | None) -> User:
        if username is None:
            return study.created_by
        user = User.objects.filter(username=username, is_active=True).first()
        if user is None:
            raise CommandError(f"There is no active account {username!r}.")
        return user

    def _corpus(self, study: Study, name: str, actor: User) -> Corpus:
        found = study.corpora.filter(slug=name).first() or study.corpora.filter(name=name).first()
        return found or create_corpus(study=study, name=name, description="", actor=actor, now=timezone.now())

    def _show(self, progress: Progress) -> None:
        left = f", {duration(progress.seconds_left)} left" if progress.seconds_left is not None else ""
        share = progress.done_bytes / progress.total_bytes if progress.total_bytes else 1.0
        line = f"{share:6.1%} {progress.records:,} records, {filesize(round(progress.rate))}/s{left}"
        self.stderr.write(f"\r{line:<78}", ending="")
        self.stderr.flush()


def add_dump_arguments(parser: CommandParser) -> None:
    parser.add_argument(
        "--cutoff",
        type=date.fromisoformat,
        metavar="YYYY-MM-DD",
        help="Leave out records created on or after this day (UTC).",
    )
    parser.add_argument("--replace", action="store_true", help="Replace communities that are there already.")


def add_column_arguments(parser: CommandParser, names: Sequence[str], required: Sequence[str]) -> None:
    for name in names:
        parser.add_argument(
            f"--{name.replace('_', '-')}-column",
            required=name in required,
            metavar="COLUMN",
            help=f"The column that holds the {name.replace('_', ' ')}.",
        )


def given_options(options: dict[str, Any], request: type[Schema]) -> dict[str, Any]:
    """The options that the request knows and that were given."""
    return {name: options[name] for name in request.model_fields if options.get(name) is not None}
