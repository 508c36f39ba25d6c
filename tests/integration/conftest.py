"""Fixtures of the integration tests."""

from tests.integration.label_studio_server import label_studio, label_studio_owner

__all__ = ["label_studio", "label_studio_owner"]
