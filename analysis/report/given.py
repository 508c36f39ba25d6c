"""What a report is made from."""

from dataclasses import dataclass

from analysis.labelled import LabelledCorpus
from analysis.report.facts import ReportFacts


@dataclass(frozen=True, slots=True, eq=False)
class ReportInput:
    """Each part as `analysis.labelled` has it, None where it was not labelled. Codes in the codebook's order."""

    posts: LabelledCorpus | None
    replies: LabelledCorpus | None
    facts: ReportFacts

    @property
    def parts(self) -> tuple[LabelledCorpus, ...]:
        return tuple(part for part in (self.posts, self.replies) if part is not None)
