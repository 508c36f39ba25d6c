"""What changed from one release to another: items that came or went, and labels that are other ones now."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from annotation.release.rows import FinalLabel, ReleaseRow


@dataclass(frozen=True, slots=True)
class ChangedLabel:
    item_id: str
    old: FinalLabel
    new: FinalLabel


@dataclass(frozen=True, slots=True)
class ReleaseComparison:
    """`by_code` counts changed values among the labels that both have; `moved` are items in another part now."""

    n_common: int
    only_old: tuple[str, ...]
    only_new: tuple[str, ...]
    moved: tuple[str, ...]
    changed: tuple[ChangedLabel, ...]
    by_code: tuple[tuple[str, int, int], ...]


def compare_releases(old: Iterable[ReleaseRow], new: Iterable[ReleaseRow]) -> ReleaseComparison:
    """Codes in the order of the new release; each with how many labels changed, of how many."""
    before = {row.item.item_id: row for row in old}
    after = {row.item.item_id: row for row in new}
    common = [item for item in after if item in before]
    changed: list[ChangedLabel] = []
    n_changed: Counter[str] = Counter()
    n_both: Counter[str] = Counter()
    for item in common:
        earlier = {label.code: label for label in before[item].labels}
        for label in after[item].labels:
            if label.code in earlier:
                is_changed = earlier[label.code].value != label.value
                n_both[label.code] += 1
                n_changed[label.code] += is_changed
                if is_changed:
                    changed.append(ChangedLabel(item, earlier[label.code], label))
    return ReleaseComparison(
        n_common=len(common),
        only_old=tuple(item for item in before if item not in after),
        only_new=tuple(item for item in after if item not in before),
        moved=tuple(item for item in common if before[item].split is not after[item].split),
        changed=tuple(changed),
        by_code=tuple((code, n_changed[code], n) for code, n in n_both.items()),
    )
