"""Lays the texts of a run ready in shards: the same run gives the same shards, however often it is begun."""

from __future__ import annotations

import hashlib
import shutil
from io import BytesIO

import polars as pl
from django.conf import settings

from backend.core.jobs.context import JobContext
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.models import Sample
from backend.publish.labelling.errors import CorpusChanged, NothingToAsk
from backend.publish.labelling.models import LabellingRun
from backend.publish.labelling.places import staged_texts
from codebook.schema import Part
from corpus.atomic_files import replace_file
from learning.labelling.facts import RunFacts, read_facts, write_facts
from learning.labelling.read import UNIT_SCHEMA
from learning.labelling.sharding import make_shards, units_per_shard
from learning.labelling.staging import write_texts
from learning.labelling.units import DRAWN_SCHEMA, units_of


def stage(context: JobContext, run: LabellingRun) -> RunFacts:
    """Raises CorpusChanged: labels on other texts than the run names would fit nothing."""
    if run.corpus.store.manifest().state != run.corpus_state:
        raise CorpusChanged(run.corpus.name)
    texts = staged_texts(run)
    if texts.staged.exists() and run.files.facts.exists():
        return read_facts(run.files.facts)
    if not run.n_shards:
        # Of a run with the same number that a restored database does not know
        shutil.rmtree(run.folder, ignore_errors=True)
    context.report(done=run.n_labelled, note="Laying the texts ready")
    units = _units(run)
    facts = _facts(run, units)
    _write_run(run, facts, units)
    write_texts(
        texts,
        run.files,
        run.corpus.store,
        units,
        report=lambda done, total: context.report(
            done=run.n_labelled, note=f"Laying the texts ready: {done:,} of {total:,} shards"
        ),
    )
    return facts


def _units(run: LabellingRun) -> pl.DataFrame:
    codes = _codes(run)
    units = units_of(
        run.corpus.store,
        run.read_scope(),
        parts=frozenset(part.value for part in Part if codes[part]),
        seed=run.seed,
        drawn=None if run.sample is None else _drawn_items(run.sample),
    )
    if run.files.units.exists():
        return _as_they_were(run, units)
    return make_shards(
        units,
        seed=run.seed,
        with_context=run.adapter.read_card().config.get("input") != "alone",
        per_shard=units_per_shard(run.adapter.learner, settings.SHARD_TEXTS),
    )


def _as_they_were(run: LabellingRun, units: pl.DataFrame) -> pl.DataFrame:
    """In the shards of the first time, though shards may be of another size by now."""
    lengths = units.select("item_id", "n_chars", "n_context")
    before = pl.read_parquet(run.files.units, glob=False)
    found = before.join(lengths, on="item_id", how="inner", maintain_order="left")
    if not before.height == found.height == units.height:
        raise CorpusChanged(run.corpus.name)
    return found


def _drawn_items(sample: Sample) -> pl.DataFrame:
    rows = sample.draws.values_list("item__community", "item__post_id", "item__reply_id")
    return pl.DataFrame(list(rows), schema=DRAWN_SCHEMA, orient="row")


def _codes(run: LabellingRun) -> dict[Part, tuple[str, ...]]:
    """Those that the adapter has learned, in the codebook's order, by what has one answer to them."""
    learned = run.adapter.read_card().codes
    asked = [(question.once_for, code.id) for question, code in codebook_of(run.edition).coded_questions()]
    found = {part: tuple(code for of, code in asked if of is part and code in learned) for part in Part}
    if not any(found.values()):
        raise NothingToAsk(run.adapter.name)
    return found


def _facts(run: LabellingRun, units: pl.DataFrame) -> RunFacts:
    codes = _codes(run)
    return RunFacts(
        study=run.study.slug,
        number=run.number,
        adapter_id=run.adapter.adapter_id,
        card_hash=hashlib.sha256(run.adapter.card.encode()).hexdigest(),
        edition_hash=run.edition.hash,
        corpus=run.corpus.slug,
        corpus_state=run.corpus_state,
        scope=run.read_scope(),
        seed=run.seed,
        post_codes=codes[Part.POST],
        reply_codes=codes[Part.REPLY],
        n_posts=units.filter(part="post").height,
        n_replies=units.filter(part="reply").height,
        n_shards=units["shard"].n_unique(),
    )


def _write_run(run: LabellingRun, facts: RunFacts, units: pl.DataFrame) -> None:
    """Labels that are there already are of the same shards, for nothing that these follow from has changed."""
    files = run.files
    files.labels.mkdir(mode=0o700, parents=True, exist_ok=True)
    written = BytesIO()
    units.select(list(UNIT_SCHEMA)).write_parquet(written, compression="zstd")
    replace_file(files.units, written.getvalue())
    write_facts(files.facts, facts)
    run.n_posts, run.n_replies, run.n_shards = facts.n_posts, facts.n_replies, facts.n_shards
    run.save(update_fields=["n_posts", "n_replies", "n_shards"])
