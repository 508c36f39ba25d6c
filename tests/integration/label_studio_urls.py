"""Run inside Label Studio's environment: prints its whole URL table, and what the access app's rules say, as JSON.

Addresses have their holes marked {name}.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import django
from django.urls import get_resolver
from django.urls.resolvers import RoutePattern
from django.utils.regex_helper import normalize

_HOLE = re.compile(r"<(?:\w+:)?(\w+)>")


def addresses(resolver: Any, prefix: str, spaces: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Each address with the name of the view that answers it."""
    for entry in resolver.url_patterns:
        for path in _templates(entry.pattern):
            if hasattr(entry, "url_patterns"):
                inner = (*spaces, entry.namespace) if entry.namespace else spaces
                yield from addresses(entry, prefix + path, inner)
            else:
                yield prefix + path, ":".join((*spaces, entry.name or ""))


def rules(table: list[tuple[str, str]]) -> list[dict[str, object]]:
    from attune_access.rules import RULES  # type: ignore[import-not-found]

    return [
        {
            "method": method,
            "view": view,
            "addresses": [address for address, name in table if name == view],
            "query": None if rule.query is None else sorted(rule.query),
            "must_say": rule.must_say,
            "body": None if rule.body is None else sorted(rule.body),
        }
        for (method, view), rule in RULES.items()
    ]


def _templates(pattern: Any) -> list[str]:
    if isinstance(pattern, RoutePattern):
        return [_HOLE.sub(r"{\1}", str(pattern))]
    return [
        template.replace("%%", "%") % {name: f"{{{name}}}" for name in names}
        for template, names in normalize(pattern.regex.pattern)
    ]


if __name__ == "__main__":
    django.setup()
    found = sorted(set(addresses(get_resolver(), "/")))
    print(json.dumps({"addresses": sorted({address for address, _ in found}), "rules": rules(found)}))
