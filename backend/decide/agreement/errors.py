"""What can go wrong when agreement is measured; each message says what to do."""

from __future__ import annotations


class AgreementError(Exception):
    """Agreement cannot be measured, or not by this rule."""


class NothingToMeasure(AgreementError):
    def __init__(self, batch: str) -> None:
        super().__init__(
            f"In “{batch}” no item has sound answers from two annotators yet. Wait for them, or open an overlap batch."
        )


class NothingToCompare(AgreementError):
    def __init__(self, batch: str) -> None:
        super().__init__(f"In “{batch}” nobody has answered an item again yet: wait for the first answers.")


class ReportUnreadable(AgreementError):
    def __init__(self) -> None:
        super().__init__(
            "The ML backend left a report that cannot be read or was measured by another version. It was removed:"
            " see that both run the same version, then try again."
        )


class RuleOutOfReach(AgreementError):
    def __init__(self, at_least: float) -> None:
        super().__init__(f"No measure can reach {at_least:g}: ask for a number from -1 to 1.")
