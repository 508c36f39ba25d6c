"""Freezes a release from the terminal."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.http import Http404
from django.utils import timezone
from pydantic import ValidationError

from annotation.release.card_words import LEFT_OUT_WORDS
from backend.core.jobs.terminal import study_named
from backend.decide.releases.errors import ReleaseError
from backend.decide.releases.requests import FreezeRequest
from backend.decide.releases.services import freeze_release
from backend.design.codebooks.errors import NoCodebook


class Command(BaseCommand):
    help = "Freeze the labels of a study as a release. The same request again gives back the release that is there."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")
        parser.add_argument("--name", required=True, help="Unique within the study.")
        parser.add_argument("--note", default="")
        parser.add_argument("--texts", action="store_true", help="Take the texts along word for word.")
        parser.add_argument(
            "--consensus", choices=["majority", "dawid-skene", "mace", "none"], default="majority"
        )
        parser.add_argument(
            "--ties",
            choices=["seed", "none", "frequent"],
            default="seed",
            help="What becomes of a tied majority.",
        )
        parser.add_argument("--spans", choices=["union", "intersection", "majority"], default="majority")
        parser.add_argument(
            "--superseded",
            default="keep",
            metavar="keep|leave-out|weight=W",
            help="What becomes of labels under a definition that changed.",
        )
        parser.add_argument(
            "--soft-labels",
            action="store_true",
            help="Carry each annotator's labels, by pseudonym, and the share behind each answer.",
        )
        parser.add_argument(
            "--no-singles", action="store_true", help="No label of what one person alone said."
        )
        parser.add_argument("--edition", type=int, help="Number of the codebook's edition; else the newest.")
        parser.add_argument("--ratio", default="6:2:2")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument(
            "--split-like", type=int, metavar="NUMBER", help="Keep the parts of this release."
        )
        parser.add_argument("--licence", default="", help="How others may use the data.")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        try:
            release = freeze_release(
                study=study,
                request=_request(options),
                actor=study.created_by,
                now=timezone.now(),
                report=lambda step: self.stderr.write(step),
            )
        except (ValidationError, ValueError, ReleaseError, NoCodebook, Http404) as problem:
            raise CommandError(str(problem)) from problem
        self.stdout.write(f"Release {release.number}: {release.counts['items']:,} items, {release.hash}")
        for reason, n in release.counts["left_out"].items():
            self.stdout.write(f"Left out, {LEFT_OUT_WORDS.get(reason, reason)}: {n:,}")
        self.stdout.write(str(release.folder))


def _request(options: dict[str, Any]) -> FreezeRequest:
    policy, _, weight = options["superseded"].partition("=")
    names = (
        "name",
        "note",
        "texts",
        "consensus",
        "ties",
        "spans",
        "edition",
        "ratio",
        "seed",
        "split_like",
        "licence",
        "soft_labels",
    )
    asked = {name: options[name] for name in names}
    asked |= {"singles": not options["no_singles"], "superseded": policy}
    return FreezeRequest.model_validate(asked | ({"superseded_weight": weight} if weight else {}))
