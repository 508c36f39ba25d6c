"""What is exported comes back by an import, word for word."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from annotation.answers import Span
from backend.annotate.practice.files import GoldForm, gold_file
from backend.annotate.practice.gold import Reasons
from backend.annotate.practice.models import GoldAnswer
from backend.annotate.practice.services import ImportedGold, import_gold, write_gold
from codebook.schema import Part
from tests.backend.annotate.practice.fixtures import POST, Practice, add_codebook, add_item, with_value
from tests.cast import NOW, Cast


def import_file(practice: Practice, source: str, form: GoldForm) -> ImportedGold:
    return import_gold(
        study=practice.cast.study,
        edition=practice.edition,
        source=source,
        file_name=f"gold.{form}",
        actor=practice.cast.rosa,
        now=NOW,
    )


def stored() -> dict[str, tuple[object, object]]:
    return {row.item.item_id: (row.answers, row.reasons) for row in GoldAnswer.objects.select_related("item")}


@pytest.mark.parametrize("form", list(GoldForm))
def test_an_export_comes_back_whole(practice: Practice, form: GoldForm) -> None:
    source, before = gold_file(practice.edition, form), stored()
    once_more = import_file(practice, source, form)
    assert (once_more.added, once_more.changed, once_more.unchanged) == (0, 0, 3)
    GoldAnswer.objects.all().delete()
    afresh = import_file(practice, source, form)
    assert (afresh.added, afresh.notes, stored()) == (3, (), before)


@pytest.mark.parametrize("form", list(GoldForm))
def test_levels_sentences_and_odd_words_come_back(cast: Cast, form: GoldForm) -> None:
    edition = add_codebook(cast, "epitome")
    item = add_item(cast, "123", reply='no: "yes"\n- 😀 I know: that hall.')
    source = json.dumps(
        {
            "item": "123",
            "remark": "null",
            "codes": {
                "emotional-reactions": {"value": 2, "quotes": ['no: "yes"\n- 😀'], "why": "true"},
                "interpretations": {"value": 0, "why": "# none"},
                "explorations": {"value": 0},
            },
        }
    )
    import_gold(
        study=cast.study, edition=edition, source=source, file_name="g.jsonl", actor=cast.rosa, now=NOW
    )
    before = stored()
    exported = gold_file(edition, form)
    GoldAnswer.objects.all().delete()
    import_gold(
        study=cast.study, edition=edition, source=exported, file_name=f"g.{form}", actor=cast.rosa, now=NOW
    )
    assert (item.item_id in before, stored()) == (True, before)


def test_words_that_stand_twice_stay_where_they_were(practice: Practice) -> None:
    """“I” stands in the post more than once; the researcher meant the last."""
    at = POST.rindex("I am")
    last = Span("sharing-personal-information", Part.POST, at, at + 1)
    answers = with_value(practice.gold(0), "sharing-personal-information", 1, last)
    write_gold(
        item=practice.items[0],
        edition=practice.edition,
        answers=answers,
        reasons=Reasons(),
        actor=practice.cast.rosa,
        now=NOW,
    )
    before = stored()
    assert import_file(practice, gold_file(practice.edition, GoldForm.YAML), GoldForm.YAML).changed == 0
    assert stored() == before


def test_the_command_and_the_call_write_the_same(
    practice: Practice, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    call_command("export_gold", "kind-words")
    printed = capsys.readouterr().out
    assert printed == gold_file(practice.edition, GoldForm.YAML)
    file = tmp_path / "gold.yaml"
    file.write_text(printed, encoding="utf-8")
    call_command("import_gold", "kind-words", str(file))
    assert "0 added, 0 changed, 3 as they were" in capsys.readouterr().out
    client = Client()
    client.force_login(practice.cast.rosa)
    answer = client.get("/api/v1/studies/kind-words/gold/export?form=jsonl")
    assert answer.content.decode() == gold_file(practice.edition, GoldForm.JSON_LINES)
    client.force_login(practice.cast.amal)
    assert client.get("/api/v1/studies/kind-words/gold/export").status_code == 403


def test_without_study_or_codebook_the_command_says_so(cast: Cast) -> None:
    with pytest.raises(CommandError, match="no study"):
        call_command("export_gold", "nowhere")
    with pytest.raises(CommandError, match="codebook"):
        call_command("export_gold", "kind-words")
