"""Registers the discussions app, which follows flags and shows an annotator's own discussions beside their work."""

from django.apps import AppConfig


class DiscussionsConfig(AppConfig):
    name = "backend.annotate.discussions"
    label = "discussions"

    def ready(self) -> None:
        from backend.annotate.hooks import flag_derived, work_page_context

        work_page_context.add("backend.annotate.discussions.selectors.work_page_context")
        flag_derived.add("backend.annotate.discussions.services.follow_flag")
