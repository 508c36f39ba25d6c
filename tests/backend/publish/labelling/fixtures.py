"""A study with a model and a corpus, and finished runs whose labels are invented: no ML process is needed.

Whoever uses it has `settings.LABELLED_DIR` and the like in folders of the test's own, as this folder's conftest does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import msgspec
import polars as pl

from backend.core.studies.models import Study
from backend.decide.releases.importing import import_release
from backend.design.corpora.models import Corpus
from backend.design.samples.models import Sample
from backend.learn.models.models import Adapter
from backend.publish.labelling.models import LabellingRun, LabellingState
from backend.publish.labelling.places import label_folder
from backend.publish.labelling.requests import LabelRequest
from backend.publish.labelling.selectors import next_number, run_numbered
from backend.publish.labelling.services import start_run
from codebook.questions import model_questions
from codebook.schema import Part
from codebook.shipped import load_shipped
from learning.labelling.facts import RunFacts, RunScope, read_facts, write_facts
from learning.labelling.read import LABEL_SCHEMA, UNIT_SCHEMA, scan_labels, scan_units
from learning.labelling.sealing import seal, verify_run
from learning.labelling.sharding import make_shards
from learning.labelling.units import units_of
from learning.tasks import contract
from learning.tasks.progress import ProgressWriter
from ml_backend.labelling.driver import label
from tests.backend.learn.models.fixtures import run as run_job
from tests.backend.learn.models.fixtures import train
from tests.cast import NOW
from tests.ml_backend.fixtures import made_release
from tests.ml_backend.pools.here import HerePool

PRACTICES = load_shipped("empathy-practices")
# (item_id, code) to the probability that the code is there
Chance = Callable[[str, str], float]


def adapter_in(study: Study, folder: Path, learner: str = "majority") -> Adapter:
    """Trained on made-up items with a codebook that has codes for posts and for replies."""
    made_release(folder, PRACTICES, 30)
    release = import_release(study=study, folder=folder, actor=study.created_by, now=NOW)
    return train(release, learner)


def any_chance(item_id: str, code: str) -> float:
    """The same for the same unit and code, and otherwise anything."""
    return int.from_bytes(hashlib.blake2b(f"{item_id} {code}".encode(), digest_size=4).digest()) / 2**32


def labelled_run(
    study: Study,
    *,
    corpus: Corpus,
    adapter: Adapter,
    sample: Sample | None = None,
    scope: RunScope | None = None,
    chance: Chance = any_chance,
    seed: int = 1,
) -> LabellingRun:
    """A finished run over the corpus, or what the scope or the sample names of it; a code is there where its chance is
    a half or more."""
    scope = RunScope(sample=sample.name) if sample else scope or RunScope()
    state = corpus.store.manifest().state
    run = LabellingRun(
        study=study,
        number=next_number(study),
        adapter=adapter,
        edition=adapter.edition,
        corpus=corpus,
        sample=sample,
        scope=msgspec.to_builtins(scope),
        corpus_state=state,
        seed=seed,
        created_by=study.created_by,
        created_at=NOW,
    )
    facts = _write_files(run, scope, chance)
    run.n_posts, run.n_replies, run.n_shards = facts.n_posts, facts.n_replies, facts.n_shards
    run.n_labelled, run.seconds_worked = facts.n_units, float(facts.n_units)
    run.state, run.finished_at, run.output_hash = LabellingState.FINISHED, NOW, seal(run.files)
    run.save()
    return run


def _write_files(run: LabellingRun, scope: RunScope, chance: Chance) -> RunFacts:
    card = run.adapter.read_card()
    codes = {
        part: tuple(
            q.code_id for q in model_questions(PRACTICES) if q.part is part and q.code_id in card.codes
        )
        for part in Part
    }
    drawn = None if run.sample is None else _drawn(run.sample)
    units = make_shards(
        units_of(run.corpus.store, scope, parts=frozenset({"post", "reply"}), seed=run.seed, drawn=drawn),
        seed=run.seed,
        with_context=False,
        per_shard=20,
    ).select(list(UNIT_SCHEMA))
    facts = RunFacts(
        study=run.study.slug,
        number=run.number,
        adapter_id=run.adapter.adapter_id,
        card_hash=hashlib.sha256(run.adapter.card.encode()).hexdigest(),
        edition_hash=run.edition.hash,
        corpus=run.corpus.slug,
        corpus_state=run.corpus_state,
        scope=scope,
        seed=run.seed,
        post_codes=codes[Part.POST],
        reply_codes=codes[Part.REPLY],
        n_posts=units.filter(part="post").height,
        n_replies=units.filter(part="reply").height,
        n_shards=units["shard"].n_unique(),
    )
    run.files.labels.mkdir(parents=True)
    write_facts(run.files.facts, facts)
    units.write_parquet(run.files.units)
    for key, of_shard in units.group_by("shard"):
        rows = [
            _label(item_id, part, code, chance(item_id, code), facts.adapter_id)
            for item_id, part in of_shard.select("item_id", "part").iter_rows()
            for code in facts.codes_of(part)
        ]
        table = pl.DataFrame(rows, schema=LABEL_SCHEMA, orient="row")
        table.write_parquet(run.files.labels_of(int(str(key[0]))))
    return facts


def _label(item_id: str, part: str, code: str, chance: float, adapter_id: str) -> tuple[object, ...]:
    likely = [{"value": 0, "probability": 1 - chance}, {"value": 1, "probability": chance}]
    value = int(chance >= 0.5)
    spans = [{"part": part, "start": 0, "end": 4, "score": chance}] if value else []
    return (item_id, part, code, value, likely, spans, adapter_id, 0)


def _drawn(sample: Sample) -> pl.DataFrame:
    rows = sample.draws.values_list("item__community", "item__post_id", "item__reply_id")
    schema = {"community": pl.String, "post_id": pl.String, "reply_id": pl.String}
    return pl.DataFrame(list(rows), schema=schema, orient="row")


def started(study: Study, corpus: Corpus, model: Adapter | None, **asked: object) -> LabellingRun:
    number = None if model is None else model.number
    request = LabelRequest.model_validate({"corpus": corpus.slug, "adapter": number, **asked})
    return start_run(study=study, request=request, actor=study.created_by, now=NOW)


def look(run: LabellingRun) -> LabellingRun:
    """Has a worker run the run's job once, and gives the run as it is afterwards."""
    assert run.job is not None
    run_job(run.job)
    return run_numbered(run.study, run.number)


def label_as_ml_backend(run: LabellingRun, *, most: int | None = None) -> int:
    """What the ML backend does with the task, without its processes; it is ended after so many shards."""
    folder = label_folder(run)
    request = folder.read_request()
    assert isinstance(request, contract.LabelRequest)
    result = label(folder, request, ProgressWriter(folder.progress), HerePool(most))
    if most is None:
        folder.write_result(result)
    return result.n_shards


def assert_whole(run: LabellingRun) -> None:
    """Every unit of its scope has each label of its part exactly once, and none of the texts is left."""
    facts = read_facts(run.files.facts)
    units, labels = scan_units(run.folder).collect(), scan_labels(run.folder).collect()
    assert labels.schema == LABEL_SCHEMA and units["item_id"].n_unique() == units.height == facts.n_units
    counted = labels.group_by("item_id", "part").agg(pl.col("code").sort())
    codes = {"post": sorted(facts.post_codes), "reply": sorted(facts.reply_codes)}
    assert {row[0]: row[2] for row in counted.iter_rows()} == {
        item: codes[part] for item, part in units.select("item_id", "part").iter_rows()
    }
    assert set(labels["adapter"]) == {run.adapter.adapter_id}
    assert run.state == LabellingState.FINISHED and verify_run(run.folder, run.output_hash) == []
    assert not label_folder(run).path.exists()
