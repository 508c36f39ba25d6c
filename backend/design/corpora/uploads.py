"""Stops an upload that is too large before it is read."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler

FORM_FIELDS = 64 * 1024


class LimitedUpload(FileUploadHandler):
    """Comes before the handler that keeps the file; what it lets through is passed on unchanged."""

    def handle_raw_input(
        self,
        input_data: Any,
        META: dict[str, str],
        content_length: int,
        boundary: str,
        encoding: str | None = None,
    ) -> None:
        if content_length > settings.UPLOAD_MAX_BYTES + FORM_FIELDS:
            raise RequestDataTooBig(f"Uploads can be {settings.UPLOAD_MAX_BYTES // 2**20} MB at most.")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """The next handler has the file."""
