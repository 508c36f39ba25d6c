"""A study: its texts, batches, judgments, decisions, releases, models and reports, as DataFrames."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

import pandas as pd

from attune_client.connection import Connection, NotFound, Refused
from attune_client.frames import judgment_rows, span_rows, table
from attune_client.jobs import Job, wait_for_job
from attune_client.release import Release
from attune_client.report import Report

PAGE = 200


class Study:
    def __init__(self, connection: Connection, facts: dict[str, Any]) -> None:
        self._connection, self._path = connection, f"studies/{facts['slug']}"
        self.slug: str = facts["slug"]
        self.name: str = facts["name"]

    def __repr__(self) -> str:
        return f"<Study {self.slug}: {self.name}>"

    # Design

    def add_codebook(self, source: str, *, note: str) -> int:
        """A new edition from YAML; its number. Raises Refused with every problem that the codebook has."""
        body = {"source": source, "note": note}
        return int(self._connection.post(f"{self._path}/codebook/editions", body)["number"])

    def codes(self, edition: int | None = None) -> pd.DataFrame:
        """The questions and codes of an edition; the newest if none is named."""
        number = edition or self._newest("codebook/editions")
        return pd.DataFrame(self._connection.get(f"{self._path}/codebook/editions/{number}/questions"))

    def upload_pairs(
        self,
        pairs: pd.DataFrame,
        *,
        corpus: str,
        post_text: str,
        reply_text: str,
        community: str = "pairs",
        post_id: str | None = None,
        reply_id: str | None = None,
        **columns: str,
    ) -> Job:
        """Posts and replies into a corpus, which is made if there is none of that name.

        `post_text` and the others name columns of the frame; further ones go by the API's names, as in
        `title_column="title"`. The import is a job.
        """
        named = {"post_text_column": post_text, "reply_text_column": reply_text, **columns}
        named |= {"post_id_column": post_id} if post_id else {}
        named |= {"reply_id_column": reply_id} if reply_id else {}
        missing = sorted(set(named.values()) - set(map(str, pairs.columns)))
        if missing:
            raise Refused(
                f"The frame has no column {', '.join(missing)}: it has {', '.join(pairs.columns)}.", 0
            )
        rows = pairs[list(dict.fromkeys(named.values()))]
        ids = [name for role, name in named.items() if role.endswith("_id_column")]
        content = rows.astype(dict.fromkeys(ids, str)).to_json(
            orient="records", lines=True, force_ascii=False
        )
        slug = self._corpus(corpus)
        file = self._upload(f"{slug}-{sha256(content.encode()).hexdigest()[:12]}.jsonl", content.encode())
        body = {"kind": "pairs", "file": file, "community": community, **named}
        return Job.of(self._connection.post(f"{self._path}/corpora/{slug}/imports", body))

    def corpora(self) -> pd.DataFrame:
        return self._list("corpora")

    def draw_sample(
        self, name: str, *, corpus: str, n: int, kind: str = "uniform_pairs", seed: int = 1, **more: object
    ) -> Job:
        """`n` from each community: `uniform_pairs`, `pps_posts` or `whole_posts`. Drawing is a job."""
        body = {"name": name, "corpus": self._corpus(corpus), "kind": kind, "n": n, "seed": seed, **more}
        return Job.of(self._connection.post(f"{self._path}/samples", body))

    def samples(self) -> pd.DataFrame:
        return self._list("samples")

    def items(self, sample: str, *, texts: bool = False) -> pd.DataFrame:
        """Of a sample, by its name: ids and probabilities, and the texts if you ask for them."""
        number = self._find_number("samples", sample)
        return pd.DataFrame(self._connection.lines(f"{self._path}/samples/{number}/items", text=texts))

    # Annotate

    def add_member(self, username: str, role: str) -> None:
        """As `researcher` or `annotator`; the account is there already."""
        self._connection.put(f"{self._path}/members/{username}", {"role": role})

    def open_batch(
        self,
        name: str,
        *,
        kind: str,
        annotators: Sequence[str],
        n: int | None = None,
        samples: Sequence[str] = (),
        seed: int = 1,
        **more: object,
    ) -> dict[str, Any]:
        """`kind`: overlap, adaptive, main, practice, recheck or active; annotators by their log-in names."""
        body = {"name": name, "kind": kind, "annotators": list(annotators), "n": n, "seed": seed, **more}
        body |= {"samples": list(samples)} if samples else {}
        return dict(self._connection.post(f"{self._path}/batches", body))

    def batches(self) -> pd.DataFrame:
        return self._list("batches")

    def judgments(self, batch: str | None = None) -> pd.DataFrame:
        """A row for each annotator, item and code: `value`, and how the answer came about."""
        return judgment_rows(self._submissions(batch))

    def spans(self, batch: str | None = None) -> pd.DataFrame:
        """A row for each highlight: offsets in code points."""
        return span_rows(self._submissions(batch))

    # Decide

    def measure_agreement(self, batch: str, *, resamples: int = 1000, seed: int = 1) -> Job:
        body = {"resamples": resamples, "seed": seed}
        number = self._find_number("batches", batch)
        return Job.of(self._connection.post(f"{self._path}/agreement/batches/{number}/measure", body))

    def agreement(self, batch: str) -> pd.DataFrame:
        """The newest report on a batch: a row for each theme and statistic, with its interval. Raises NotFound."""
        number = self._find_number("batches", batch)
        reports = self._connection.get(f"{self._path}/agreement/reports", batch=number, limit=1)
        if not reports:
            raise NotFound(
                f"The agreement of “{batch}” was not measured yet: measure_agreement({batch!r}).", 404
            )
        path = f"{self._path}/agreement/reports/{reports[0]['id']}/tables/csv"
        return pd.read_csv(io.StringIO(self._connection.text(path)))

    def decisions(self) -> pd.DataFrame:
        """Every step of adjudication, without texts; what you must not know yet is left out."""
        return pd.DataFrame(self._connection.lines(f"{self._path}/adjudication/decisions"))

    def freeze_release(self, name: str, **request: object) -> Job:
        """`texts=True`, `consensus="dawid-skene"` and so on, as on the page. Freezing is a job."""
        return Job.of(self._connection.post(f"{self._path}/releases", {"name": name, **request}))

    def releases(self) -> pd.DataFrame:
        return self._list("releases")

    def release(self, number: int) -> Release:
        return Release(self._connection, self.slug, self._connection.get(f"{self._path}/releases/{number}"))

    # Learn

    def train(self, release: int, *, learner: str, **request: object) -> Job:
        """`options={…}` of the learner, `seed=`, `name=`. Training is a job."""
        body = {"release": release, "learner": learner, **request}
        return Job.of(self._connection.post(f"{self._path}/models/train", body))

    def models(self) -> pd.DataFrame:
        return self._list("models")

    def model(self, number: int) -> dict[str, Any]:
        """With its card: what it learned from, and how it was measured."""
        return dict(self._connection.get(f"{self._path}/models/{number}"))

    # Publish

    def label_corpus(self, corpus: str, **request: object) -> dict[str, Any]:
        """By the model in service, or `adapter=`; the run's `job` can be waited for."""
        body = {"corpus": self._corpus(corpus), **request}
        return dict(self._connection.post(f"{self._path}/labelling", body))

    def predictions(self, run: int | None = None) -> pd.DataFrame:
        """What the model said of each text in a finished labelling run; of the newest if none is named."""
        number = run or self._newest("labelling")
        return pd.read_csv(io.StringIO(self._connection.text(f"{self._path}/labelling/{number}/labels.csv")))

    def make_report(self, run: int, **request: object) -> Job:
        """`release=` corrects the labels of the run by those of people; making it is a job."""
        return Job.of(self._connection.post(f"{self._path}/reports", {"run": run, **request}))

    def reports(self) -> pd.DataFrame:
        return self._list("reports")

    def report(self, number: int | None = None) -> Report:
        """The newest if none is named."""
        chosen = number or self._newest("reports")
        return Report(self._connection, self.slug, self._connection.get(f"{self._path}/reports/{chosen}"))

    def wait(self, job: Job | int, *, timeout: float | None = None, progress: bool = True) -> Job:
        """Until it is done, with a progress bar. Raises JobFailed, or JobTakesLonger after `timeout` seconds."""
        return wait_for_job(self._connection, self._path, job, timeout=timeout, progress=progress)

    def _list(self, of: str) -> pd.DataFrame:
        return table(of, self._connection.get(f"{self._path}/{of}"))

    def _submissions(self, batch: str | None) -> Iterator[dict[str, Any]]:
        number = None if batch is None else self._find_number("batches", batch)
        return self._connection.lines(f"{self._path}/judgments", batch=number)

    def _corpus(self, name: str) -> str:
        """The short name of the corpus that has this name or short name; a new one if there is none."""
        known = {each["name"]: each["slug"] for each in self._connection.get(f"{self._path}/corpora")}
        if name in known.values():
            return name
        return str(known.get(name) or self._connection.post(f"{self._path}/corpora", {"name": name})["slug"])

    def _upload(self, name: str, content: bytes) -> str:
        """The same rows again are there already: their name has their hash."""
        if name not in {each["name"] for each in self._connection.get(f"{self._path}/files")}:
            self._connection.upload(f"{self._path}/files", name, content)
        return name

    def _find_number(self, what: str, name: str) -> int:
        found = [each for each in self._connection.get(f"{self._path}/{what}") if each["name"] == name]
        if not found:
            raise NotFound(
                f"{self.name} has no {what.removesuffix('es').removesuffix('s')} named “{name}”.", 404
            )
        return int(found[0]["id"])

    def _newest(self, what: str) -> int:
        found = self._connection.get(f"{self._path}/{what}")
        if not found:
            raise NotFound(f"{self.name} has no {what.rpartition('/')[2]} yet.", 404)
        return max(int(each["number"]) for each in found)
