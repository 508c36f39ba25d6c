"""The facts that a data card is written from; whoever freezes a release gathers them."""

from dataclasses import dataclass

from annotation.agreement.values import Estimate
from annotation.release.manifest import EditionEntry, Request, StudyEntry
from annotation.release.soft_labels import SoftFact


@dataclass(frozen=True, slots=True)
class SampleFact:
    """`design` in words; `n_released` of its `n_items` are in the release."""

    name: str
    design: str
    seed: int
    frame_hash: str
    n_items: int
    n_released: int


@dataclass(frozen=True, slots=True)
class BatchFact:
    name: str
    kind: str
    edition: int
    n_items: int
    n_annotators: int


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """One theme of a report; `estimates` are by the name of the statistic."""

    theme: str
    estimates: dict[str, Estimate]
    n_items: int
    warning: str


@dataclass(frozen=True, slots=True)
class AgreementFact:
    """What annotators agreed on before anybody adjudicated, in one batch; `alpha_check` is a line."""

    batch: str
    is_partial: bool
    rows: tuple[AgreementRow, ...]
    alpha_check: str = ""


@dataclass(frozen=True, slots=True)
class CardFacts:
    """`decisions` counts adjudicated items by the way in which they were decided; `n_unfinished` is how many items
    somebody still had to judge. `suggesting` says of each model whose suggestions were in view how it entered
    service. `soft_labels` are there where those were asked for."""

    name: str
    number: int
    study: StudyEntry
    description: str
    language: str
    edition: EditionEntry
    codebook_title: str
    editions_judged_under: tuple[int, ...]
    request: Request
    platforms: tuple[str, ...]
    communities: tuple[tuple[str, int], ...]
    samples: tuple[SampleFact, ...]
    n_undrawn: int
    n_unfinished: int
    batches: tuple[BatchFact, ...]
    decisions: tuple[tuple[str, int], ...]
    agreement: tuple[AgreementFact, ...]
    rare_themes: tuple[tuple[str, float], ...]
    n_suggested: int = 0
    suggesting: tuple[str, ...] = ()
    is_split_given: bool = False
    soft_labels: tuple[SoftFact, ...] = ()
