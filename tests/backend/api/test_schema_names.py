"""The description of the API names each shape once: two of one name would overwrite each other."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from ninja import Schema

from backend.api.urls import api


def shapes(kind: type[Schema] = Schema) -> Iterator[type[Schema]]:
    for each in kind.__subclasses__():
        if each.__module__.startswith("backend."):
            yield each
        yield from shapes(each)


def definitions() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every definition as each call brings it, before they are put together by name."""
    for _, router in api._routers:
        for view in router.path_operations.values():
            for operation in view.operations:
                models = [*operation.models, *operation.response_models.values()]
                for model in models:
                    if isinstance(model, type) and hasattr(model, "model_json_schema"):
                        yield from model.model_json_schema(mode="serialization").get("$defs", {}).items()


def test_no_two_shapes_have_one_name() -> None:
    places = defaultdict(set)
    for shape in shapes():
        places[shape.__name__].add(shape.__module__)
    assert len(places) > 100
    assert {name: sorted(found) for name, found in places.items() if len(found) > 1} == {}


def test_no_definition_overwrites_another() -> None:
    """Also of what a shape holds: enumerations and values of the rooms."""
    found = defaultdict(set)
    for name, definition in definitions():
        found[name].add(json.dumps(definition, sort_keys=True))
    assert len(found) > 100
    assert sorted(name for name, each in found.items() if len(each) > 1) == []
