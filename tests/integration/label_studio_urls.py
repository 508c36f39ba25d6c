"""Run inside Label Studio's environment: prints every address of its URL table as JSON, holes marked {name}."""

import json
import re
from collections.abc import Iterator
from typing import Any

import django
from django.urls import get_resolver
from django.urls.resolvers import RoutePattern
from django.utils.regex_helper import normalize

_HOLE = re.compile(r"<(?:\w+:)?(\w+)>")


def addresses(resolver: Any, prefix: str) -> Iterator[str]:
    for entry in resolver.url_patterns:
        for path in _templates(entry.pattern):
            if hasattr(entry, "url_patterns"):
                yield from addresses(entry, prefix + path)
            else:
                yield prefix + path


def _templates(pattern: Any) -> list[str]:
    if isinstance(pattern, RoutePattern):
        return [_HOLE.sub(r"{\1}", str(pattern))]
    return [
        template.replace("%%", "%") % {name: f"{{{name}}}" for name in names}
        for template, names in normalize(pattern.regex.pattern)
    ]


if __name__ == "__main__":
    django.setup()
    print(json.dumps(sorted(set(addresses(get_resolver(), "/")))))
