"""The examples of the docs run, and print what the docs say."""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from codebook.shipped import load_shipped
from learning.predictions.files import write_predictions
from learning.predictions.rows import CodePrediction, ItemPrediction

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


def test_the_tutorials_predictions_open_with_what_comes_with_attune(tmp_path: Path) -> None:
    """pyarrow does not: it is here for tests alone, so the example runs without it."""
    required = (ROOT / "requirements/app.txt").read_text()
    assert "pandas==" in required and "polars==" in required and "pyarrow" not in required
    found = ItemPrediction("item-1", (CodePrediction("interpretations", 2),), "a")
    own, epitome = {"item-1": ("17", "42")}, load_shipped("epitome")
    for name in ("test.parquet", "test.jsonl"):
        write_predictions(tmp_path / name, [found], epitome, own_ids=own)
    (tmp_path / "my_table.csv").write_text("sp_id,rp_id,response_post\n17,42,I hear you\n")
    page = (ROOT / "docs/models.md").read_text()
    [example] = [text for language, text in BLOCK.findall(page) if language == "python"]
    lines = [
        "import sys; sys.modules['pyarrow'] = None",
        example,
        "print(frame[['item_id', 'post_id', 'reply_id', 'code', 'value', 'response_post']].values.tolist())",
        "print(len(pd.read_json('test.jsonl', lines=True)))",
    ]
    ran = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], cwd=tmp_path, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines() == ["[['item-1', '17', '42', 'interpretations', 2, 'I hear you']]", "1"]


PAGES = sorted((ROOT / "docs").rglob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_first_says_what_one_gets_from_it(page: Path) -> None:
    """In its first paragraph, with these words, so that it is found out before anybody reads on."""
    heading, _, text = page.read_text(encoding="utf-8").partition("\n")
    first = text.strip().split("\n\n")[0]
    assert heading.startswith("# ")
    assert re.search(r"\b(This|this) page\b", first), f"{page.name}: say first what this page is good for"


def test_every_page_is_in_the_contents_once() -> None:
    contents = re.findall(r": ([\w/]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    pages = [page.relative_to(ROOT / "docs").as_posix() for page in PAGES]
    assert sorted(contents) == sorted([*pages, "contributing.md"]), "add the page to nav in mkdocs.yml"
