"""Makes the first admin of an instance."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from backend.core.accounts.models import AccountRole
from backend.core.accounts.services import AccountError, create_account, suggest_password


class Command(BaseCommand):
    help = "Make an admin's account and print its password once; further accounts are made in the browser."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--name", default="", help="The person's name.")

    def handle(self, *args: Any, **options: Any) -> None:
        password = suggest_password()
        try:
            user = create_account(
                username=options["username"],
                display_name=options["name"],
                role=AccountRole.ADMIN,
                password=password,
            )
        except AccountError as problem:
            raise CommandError(str(problem)) from problem
        self.stdout.write(f"{user.username} can log in with the password {password}")
