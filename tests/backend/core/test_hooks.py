"""Hooks name functions by their paths, so nothing else would notice that one was renamed."""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path

import pytest
from django.conf import settings

from backend.core.hooks import Hook

MODULES = sorted(
    ".".join(path.relative_to(settings.ROOT).with_suffix("").parts)
    for path in (Path(settings.ROOT) / "backend").glob("**/hooks.py")
)
HOOKS = [
    pytest.param(hook, id=f"{module}.{name}")
    for module in MODULES
    for name, hook in vars(import_module(module)).items()
    if isinstance(hook, Hook)
]


def test_there_are_some() -> None:
    assert len(HOOKS) > 10


@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook_is_answered_by_functions_that_exist(hook: Hook[..., object]) -> None:
    assert hook.paths
    assert all(inspect.isfunction(function) for function in hook.functions())


def test_all_that_were_added_are_called_in_turn_and_once() -> None:
    hook: Hook[[str], str] = Hook()
    for path in ("posixpath.basename", "posixpath.dirname", "posixpath.basename"):
        hook.add(path)
    assert hook("a/b") == ["b", "a"]
