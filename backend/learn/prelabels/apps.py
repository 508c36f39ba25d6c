"""Registers the prelabels app, what it follows, and what it can be asked for."""

from django.apps import AppConfig


class PrelabelsConfig(AppConfig):
    name = "backend.learn.prelabels"
    label = "prelabels"

    def ready(self) -> None:
        from backend.annotate.hooks import batch_in_line, batch_opened, batch_page_context
        from backend.decide.hooks import suggestions_in_view
        from backend.learn.models.hooks import blind_among, blind_items, kept_predictions, service_changed

        batch_opened.add("backend.learn.prelabels.services.seal_opened_batch")
        batch_page_context.add("backend.learn.prelabels.status.batch_page_context")
        batch_in_line.add("backend.learn.prelabels.services.push_if_wanted")
        suggestions_in_view.add("backend.learn.prelabels.selectors.suggested_by")
        service_changed.add("backend.learn.prelabels.services.follow_service")
        kept_predictions.add("backend.learn.prelabels.predicting.kept_prediction")
        blind_items.add("backend.learn.prelabels.selectors.blind_item_ids")
        blind_among.add("backend.learn.prelabels.selectors.blind_among")
