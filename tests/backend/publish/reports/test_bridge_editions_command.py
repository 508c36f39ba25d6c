"""Two release folders and one command: how common codes are under an edition that few items were judged by."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.release.files import write_files
from codebook.schema import Codebook
from tests.annotation.release.fixtures import PRACTICES, judged, release_of, said
from tests.codebook.test_recoding import ADVICE, split, with_codes

SPLIT = with_codes(PRACTICES, split)
PARTS = ("asking-what-to-do", "asking-who-is-right")


def folder_of(folder: Path, codebook: Codebook, values: dict[str, dict[str, int]]) -> str:
    nothing = {code.id: 0 for _, code in codebook.coded_questions()}
    items = [
        judged(item, {"ann": said(nothing | given)}, codebook=codebook, with_texts=True)
        for item, given in values.items()
    ]
    folder.mkdir()
    write_files(folder, release_of(items, codebook))
    return str(folder)


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """120 items, of which 40 ask for advice; 60 were judged again, and in half of the 20 it is about what to do."""
    root = tmp_path_factory.mktemp("releases")
    old = folder_of(root / "old", PRACTICES, {f"i{at}": {ADVICE: int(at % 3 == 0)} for at in range(120)})
    new = {f"i{at}": {PARTS[at % 2]: int(at % 3 == 0)} for at in range(60)}
    return old, folder_of(root / "new", SPLIT, new)


def printed(*arguments: str) -> str:
    out = StringIO()
    call_command("bridge_editions", *arguments, stdout=out)
    return out.getvalue()


def test_shares_under_the_new_edition(releases: tuple[str, str]) -> None:
    answer = json.loads(printed(*releases, "--format", "json"))
    assert answer["n_items"] == 120
    found = {each["code"]: each for each in answer["codes"]}
    for part in PARTS:
        each = found[part]
        assert (each["formerly"], each["is_split"]) == ([ADVICE], True)
        assert each["old_labels"]["value"] == pytest.approx(1 / 3)
        assert each["gold_only"]["value"] == pytest.approx(1 / 6)
        assert each["corrected"]["value"] == pytest.approx(1 / 6, abs=0.01)
        assert each["corrected"]["n_gold"] == 60
    assert "Asking what to do (from asking-advice), which was split" in printed(*releases)


def test_items_that_were_likelier_to_be_drawn_count_less(releases: tuple[str, str], tmp_path: Path) -> None:
    """Those that asked for advice were drawn twice as often."""
    rows = [f"i{at},{0.8 if at % 3 == 0 else 0.4}" for at in range(60)]
    file = tmp_path / "drawn.csv"
    file.write_text("\n".join(["item_id,inclusion_probability", *rows]))
    answer = json.loads(printed(*releases, "--probabilities", str(file), "--format", "json"))
    alone = next(each for each in answer["codes"] if each["code"] == PARTS[0])["gold_only"]["value"]
    assert alone == pytest.approx(10 / 0.8 / (20 / 0.8 + 40 / 0.4))


def test_what_is_missing_is_said(releases: tuple[str, str], tmp_path: Path) -> None:
    file = tmp_path / "drawn.csv"
    file.write_text("item,p\ni1,0.5\n")
    with pytest.raises(CommandError, match="no column item_id and inclusion_probability"):
        printed(*releases, "--probabilities", str(file))
    with pytest.raises(CommandError, match="the same edition"):
        printed(releases[0], releases[0])
    with pytest.raises(CommandError, match="is no release"):
        printed(str(tmp_path), releases[1])
    with pytest.raises(CommandError, match="above 0 and below"):
        printed(*releases, "--half-width", "5")
