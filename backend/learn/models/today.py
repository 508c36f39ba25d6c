"""Which promotion report counts today: one against what is in service now, by the rule that holds now."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from backend.core.studies.models import Study
from backend.learn.models.models import Adapter, PromotionReport
from backend.learn.models.selectors import adapter_in_service, promotion_rule_of, reports_of
from learning.promotion.rule import PromotionRule


@dataclass(frozen=True, slots=True)
class Today:
    """What a study has in service, and its rule."""

    in_service: Adapter | None
    rule: PromotionRule

    def holds(self, report: PromotionReport) -> bool:
        opponent = self.in_service.pk if self.in_service else None
        return (
            report.incumbent_id == opponent and msgspec.convert(report.rule, type=PromotionRule) == self.rule
        )

    def telling(self, newest_first: Iterable[PromotionReport]) -> PromotionReport | None:
        """The newest that holds; where none does, the newest, which says what was found last."""
        reports = list(newest_first)
        return next(filter(self.holds, reports), reports[0] if reports else None)


def today_in(study: Study) -> Today:
    return Today(adapter_in_service(study), promotion_rule_of(study))


def telling_report(adapter: Adapter) -> PromotionReport | None:
    return today_in(adapter.study).telling(reports_of(adapter.study).filter(candidate=adapter))
