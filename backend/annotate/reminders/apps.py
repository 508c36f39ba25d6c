"""Registers the reminders app, which says on the page of one's work what is soon due."""

from django.apps import AppConfig


class RemindersConfig(AppConfig):
    name = "backend.annotate.reminders"
    label = "reminders"

    def ready(self) -> None:
        from backend.annotate.hooks import work_page_context

        work_page_context.add("backend.annotate.reminders.services.work_page_context")
