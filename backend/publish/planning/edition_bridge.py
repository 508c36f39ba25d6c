"""Shares under a new edition of the codebook, from two releases of a study."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.db.models import F

from backend.core.studies.models import Study
from backend.core.web.formats import NOTHING
from backend.decide.releases.models import Release
from backend.decide.releases.selectors import read_frozen

if TYPE_CHECKING:
    from analysis.edition_bridge import BridgedCode, EditionBridge

HALF_WIDTH = 5.0


def earlier_releases(study: Study) -> list[Release]:
    """Those whose edition is older than the newest release's: only from them is there anything to carry on."""
    newest = study.releases.order_by("-edition__number", "-number").first()
    if newest is None:
        return []
    older = study.releases.filter(edition__number__lt=newest.edition.number)
    return list(older.select_related("edition").order_by(F("number").desc()))


class BridgeForm(forms.Form):
    """The release under the old edition, with all items, and the one with what was judged again."""

    old = forms.TypedChoiceField(
        label="All items, under the old edition", coerce=int, help_text="The items that the answer is about."
    )
    new = forms.TypedChoiceField(
        label="Judged again, under the new edition",
        coerce=int,
        help_text="Of its items, those that the other one has too count as a random sample.",
    )
    half_width = forms.FloatField(
        label="Interval wanted, ± points", min_value=0.5, max_value=49, initial=HALF_WIDTH
    )

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        releases = list(study.releases.select_related("edition").order_by("-number"))
        older = {release.number for release in earlier_releases(study)}
        for name, found in (("old", [each for each in releases if each.number in older]), ("new", releases)):
            field = self.fields[name]
            if isinstance(field, forms.TypedChoiceField):
                field.choices = [
                    (each.number, f"{each.name} (edition {each.edition.number})") for each in found
                ]


@dataclass(frozen=True, slots=True)
class BridgeRow:
    """A code as the page shows it: its share by the old labels, from the sample alone, and corrected."""

    name: str
    formerly: str
    is_split: bool
    shares: tuple[str, ...]
    n_gold: int
    needed: int | None


def row_of(each: BridgedCode) -> BridgeRow:
    ways = [each.ways[way] for way in ("naive", "gold_only", "corrected")]
    shares = tuple(_share(way.estimate.value, way.estimate.low, way.estimate.high) for way in ways)
    return BridgeRow(
        each.code.name, " + ".join(each.formerly), each.is_split, shares, ways[2].n_gold, each.needed
    )


def _share(value: float | None, low: float | None, high: float | None) -> str:
    if value is None:
        return NOTHING
    interval = "" if low is None or high is None else f" [{100 * low:.1f}, {100 * high:.1f}]"
    return f"{100 * value:.1f}%{interval}"


def bridge_releases(old: Release, new: Release, half_width: float) -> EditionBridge:
    """`half_width` is a part of 1. Raises NotAnalysable and ReleaseError."""
    # They load numpy and polars
    from analysis.edition_bridge import LabelledItems, bridge_editions

    before, after = read_frozen(old), read_frozen(new)
    return bridge_editions(
        LabelledItems(before.codebook, before.rows),
        LabelledItems(after.codebook, after.rows),
        half_width=half_width,
    )
