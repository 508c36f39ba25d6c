"""What the rows say must be there as files: held against a backup when it is made, and against what was restored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from annotation.release.verify import verify_release
from backend.core.jobs.models import Job, JobState
from backend.core.studies.models import Study
from backend.decide.releases.models import Release
from backend.design.corpora.models import Corpus
from backend.design.corpora.services import IMPORT_CORPUS
from backend.design.samples.models import Sample
from backend.learn.models.models import Adapter
from backend.operate.backups.corpora import corpus_problems
from backend.publish.labelling.models import LabellingRun, LabellingState
from backend.publish.reports.files import folder_problems
from backend.publish.reports.models import Report
from corpus.store import CorpusStore
from learning.adapters.folder import AdapterBroken, PickleRefused, checked_card
from learning.labelling.sealing import verify_run


@dataclass(frozen=True)
class Inventory:
    """Rows at one moment: studies by number, corpora by folder, those among them that hold texts, and the frozen
    folders, each with the hash it must have."""

    studies: frozenset[int]
    corpora: frozenset[Path]
    filled: frozenset[Path]
    releases: Mapping[Path, str]
    adapters: Mapping[Path, str]
    labelled: Mapping[Path, str]
    reports: Mapping[Path, str]

    def lost_since(self, earlier: Inventory) -> bool:
        """Rows that were there and are not any more; what was added in between does not matter."""
        return not (
            earlier.studies <= self.studies
            and earlier.corpora <= self.corpora
            and set(earlier.releases) <= set(self.releases)
            and set(earlier.adapters) <= set(self.adapters)
            and set(earlier.labelled) <= set(self.labelled)
            and set(earlier.reports) <= set(self.reports)
        )


def take_inventory() -> Inventory:
    releases = Release.objects.select_related("study")
    adapters = Adapter.objects.select_related("study")
    runs = LabellingRun.objects.select_related("study").filter(state=LabellingState.FINISHED)
    reports = Report.objects.select_related("study")
    corpora = {corpus.pk: _place(corpus.directory, "CORPORA_DIR") for corpus in Corpus.objects.all()}
    return Inventory(
        studies=frozenset(Study.objects.values_list("pk", flat=True)),
        corpora=frozenset(corpora.values()),
        filled=frozenset(corpora[number] for number in corpora.keys() & _filled_corpora()),
        releases={_place(release.folder, "RELEASES_DIR"): release.hash for release in releases},
        adapters={_place(adapter.folder, "ADAPTERS_DIR"): adapter.adapter_id for adapter in adapters},
        labelled={_place(run.folder, "LABELLED_DIR"): run.output_hash for run in runs},
        reports={_place(report.folder, "REPORTS_DIR"): report.manifest_hash for report in reports},
    )


def _filled_corpora() -> set[int]:
    """Numbers of corpora that an import came to its end in, or that something was drawn from or labelled in."""
    imports = Job.objects.filter(kind=IMPORT_CORPUS, state=JobState.DONE)
    return {
        *imports.values_list("arguments__corpus", flat=True),
        *Sample.objects.values_list("corpus", flat=True),
        *LabellingRun.objects.values_list("corpus", flat=True),
    }


def problems_with(inventory: Inventory, folders: Mapping[str, Path]) -> list[str]:
    """Every frozen folder against its hash and every corpus against what it counts, where the folders of an instance
    lie or a backup has them."""
    problems = []
    for place in sorted(inventory.corpora):
        store = CorpusStore(folders["corpora"] / place)
        missing = corpus_problems(store, filled=place in inventory.filled)
        problems += [f"corpus {place}: {problem}" for problem in missing]
    for place, expected in inventory.releases.items():
        found = verify_release(folders["releases"] / place, expected_hash=expected)
        problems += [f"release {place}: {problem}" for problem in found]
    for place, expected in inventory.adapters.items():
        problem = _adapter_problem(folders["adapters"] / place, expected)
        problems += [f"adapter {place}: {problem}"] if problem else []
    for place, expected in inventory.labelled.items():
        changed = verify_run(folders["labelled"] / place, expected)
        problems += [f"labelling run {place}: {change}" for change in changed]
    for place, expected in inventory.reports.items():
        changed = folder_problems(folders["reports"] / place, expected)
        problems += [f"report {place}: {change}" for change in changed]
    return problems


def _adapter_problem(folder: Path, expected: str) -> str:
    try:
        card = checked_card(folder)
    except (AdapterBroken, PickleRefused) as error:
        return str(error)
    return "" if card.id == expected else f"it is another one, {card.id}"


def _place(folder: Path, setting: str) -> Path:
    return folder.relative_to(getattr(settings, setting))
