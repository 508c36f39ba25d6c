"""The examples of the docs run, and print what the docs say."""

from __future__ import annotations

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
WITH_EXAMPLES = (
    "agreement.md",
    "analysis.md",
    "codebook.md",
    "consensus.md",
    "import.md",
    "sampling.md",
    "scoring.md",
)


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_print_what_the_docs_say(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    blocks = BLOCK.findall((ROOT / "docs" / name).read_text())
    namespace: dict[str, object] = {}
    compared = 0
    for (language, text), (next_language, expected) in zip(blocks, [*blocks[1:], ("", "")], strict=True):
        if language != "python":
            continue
        printed = StringIO()
        with redirect_stdout(printed):
            exec(compile(text, name, "exec"), namespace)
        if next_language == "text":
            assert printed.getvalue().strip() == expected.strip()
            compared += 1
    assert compared
