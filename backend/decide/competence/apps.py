"""Registers the competence app, which tells an annotator on their page of work where their own figures are."""

from django.apps import AppConfig


class CompetenceConfig(AppConfig):
    name = "backend.decide.competence"
    label = "competence"

    def ready(self) -> None:
        from backend.annotate.hooks import work_page_context

        work_page_context.add("backend.decide.competence.selectors.work_page_context")
