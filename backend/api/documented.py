"""The API with a description in which every part of an address is explained."""

from __future__ import annotations

import re
from typing import Any

from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema

_SLUG = {
    "in": "path",
    "name": "slug",
    "required": True,
    "schema": {"type": "string", "title": "Slug"},
    "description": "The study's short name, as in its address.",
}


class DocumentedAPI(NinjaAPI):
    """Calls get their study from the address before they run, so the description must name that part for them."""

    def get_openapi_schema(self, *args: Any, **kwargs: Any) -> OpenAPISchema:
        schema = super().get_openapi_schema(*args, **kwargs)
        for path, operations in schema["paths"].items():
            if "slug" in re.findall(r"\{(\w+)\}", path):
                for operation in operations.values():
                    operation["parameters"] = [_SLUG, *operation.get("parameters", [])]
        return schema
