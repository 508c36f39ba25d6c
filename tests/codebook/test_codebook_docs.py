"""The page on the codebook format names every key, and its examples print what it says they print."""

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from codebook.editions import canonical_json
from codebook.loader import parse_codebook
from codebook.schema import AnswerKind, Evidence, Part
from codebook.shipped import load_shipped, shipped_codebooks
from codebook.yaml_tree import MAX_BYTES, MAX_DEPTH, MAX_NODES

PAGE = (Path(__file__).parents[2] / "docs" / "codebook.md").read_text(encoding="utf-8")


def test_every_key_and_every_allowed_word_is_documented() -> None:
    keys = {
        key
        for name in shipped_codebooks()
        for key in re.findall(r'"(\w+)":', canonical_json(load_shipped(name)))
    }
    assert {"name", "context", "absent", "why", "against"} <= keys
    words = [*keys, *AnswerKind, *Evidence, *Part, *shipped_codebooks()]
    assert [word for word in words if f"`{word}`" not in PAGE] == []


def test_the_limits_are_documented() -> None:
    assert f"{MAX_BYTES // 1024} KiB" in PAGE
    assert f"{MAX_NODES:,} entries" in PAGE
    assert f"{MAX_DEPTH} levels of nesting" in PAGE


def test_the_examples_print_what_the_page_says() -> None:
    names: dict[str, object] = {}
    printed = StringIO()
    with redirect_stdout(printed):
        for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
            exec(compile(block, "docs/codebook.md", "exec"), names)
    assert printed.getvalue() == "".join(re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL))


def test_the_example_is_a_whole_codebook() -> None:
    text = re.search(r'TEXT = """\n(.*?)"""', PAGE, re.DOTALL)
    assert text is not None
    assert parse_codebook(text[1], source="page").name == "thanks"
