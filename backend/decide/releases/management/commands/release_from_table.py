"""Makes a release out of labelled tables from the terminal."""

from __future__ import annotations

from argparse import ArgumentTypeError, RawDescriptionHelpFormatter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from annotation.consensus.values import Method, Ties
from annotation.release.card_words import LEFT_OUT_WORDS
from annotation.release.files import write_release
from annotation.release.manifest import Manifest
from annotation.release.release_from_table import ImportRequest, release_from_tables
from annotation.release.rows import LabelSource, SplitPart
from annotation.release.split import read_ratio
from annotation.release.table_items import LabelColumn, ReadTables, TextColumns
from codebook.loader import load_codebook
from codebook.problems import CodebookError
from codebook.schema import Codebook, Part
from codebook.shipped import shipped_codebooks, shipped_path
from corpus.errors import CorpusError

if TYPE_CHECKING:
    from annotation.release.table_columns import TableShape

FROM_TABLE = "from-table"
HELP = """Make a release folder, split by post, out of a table of labelled texts: for those who have labels already and
want to train on them. Rows with the same ids, or without ids with the same texts, are one item; where they
contradict each other it is left out.

Columns are found by themselves where they are sure: texts in post and reply, or in text and context, or as the one
column of lists; ids in group, item, post_id, reply_id. An option that names a column goes before a guess, and what was
taken is printed.

Sentences: a cell of texts may be a list in JSON (or as Python writes it), a sentence an element, and a cell of labels a
list of 0 and 1, one for each sentence. “A: I fell.” says who speaks, where all sentences of the table begin so.

Classes and ratings: give from-table in place of a codebook, and one is made: a column of classes becomes a code with a
level for each class (up to ten), 0 and 1 become a tick, ratings with decimals a scale, rounded to whole steps.

Annotators: a column annotator (or rater, worker) says whose label a row is, and an item has a row for each of them;
their labels become one by --consensus, and --soft-labels carries each of them, by pseudonym, and the share behind each
answer. A long table item, annotator, label without texts can stand beside the table of texts: --label CODE=FILE:label.

  release_from_table empathy-cause causes_train.csv releases/causes --validation causes_valid.csv
  release_from_table from-table texts.csv releases/anger --label anger=annotations.csv:label --soft-labels
  release_from_table from-table ratings.csv releases/ratings --label empathy --label distress"""


def code_and_column(text: str) -> tuple[str, str]:
    code, is_there, column = text.partition("=")
    if not (code and (column or not is_there)):
        raise ArgumentTypeError(f"{text!r} is not CODE=COLUMN")
    return code, column


class Command(BaseCommand):
    help = HELP

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        return super().create_parser(
            prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **kwargs
        )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "codebook", help="A codebook file, the name of one that comes with Attune, or from-table."
        )
        parser.add_argument(
            "table", type=Path, help="A .csv, .jsonl or .parquet file, a labelled pair or text a row."
        )
        parser.add_argument("out", type=Path, help="The folder to make; it must not be there yet.")
        self._add_texts(parser)
        self._add_labels(parser)
        parser.add_argument("--name", default="", help="Of the release; default: the table's name.")
        parser.add_argument("--community", default="table", help="Where the texts are from.")
        parser.add_argument("--ratio", default="6:2:2", help="Train, validation and test; default 6:2:2.")
        parser.add_argument("--seed", type=int, default=1, help="Of the split; default 1.")
        parser.add_argument(
            "--consensus",
            choices=[each.value for each in Method],
            default=Method.MAJORITY.value,
            help="Where annotators of the table differ; default majority.",
        )
        parser.add_argument(
            "--ties",
            choices=[each.value for each in Ties],
            default=Ties.SEED.value,
            help="What becomes of a tied majority; default seed.",
        )
        parser.add_argument(
            "--soft-labels",
            action="store_true",
            help="Carry each annotator's labels, by pseudonym, and the share behind each answer.",
        )
        parser.add_argument(
            "--validation", type=Path, help="A table like the first that is the validation part."
        )
        parser.add_argument(
            "--test",
            type=Path,
            help="A table like the first that is the test part; with it or --validation the "
            "first table is the train part, and --ratio counts for nothing.",
        )
        parser.add_argument("--licence", default="", help="How others may use the data.")

    def _add_texts(self, parser: CommandParser) -> None:
        parser.add_argument("--post-column", help="The post, or its sentences as a list.")
        parser.add_argument("--reply-column", help="Leave it out where only posts are judged.")
        parser.add_argument("--title-column")
        parser.add_argument("--post-id-column", help="Else ids are made from the texts.")
        parser.add_argument("--reply-id-column")
        parser.add_argument("--group-column", help="What the split keeps together, if that is not the post.")
        parser.add_argument("--item-column", help="An id for each row, kept as the id of the item.")
        parser.add_argument(
            "--annotator-column", help="Whose labels a row has, where several annotators judged."
        )
        parser.add_argument("--split-column", help="Says train, validation or test.")
        parser.add_argument("--speaker-column", help="A list of who says each sentence.")
        parser.add_argument(
            "--feature-column",
            action="append",
            default=[],
            help="What else is known of an item, such as its emotion, for learners that use it. Repeatable.",
        )

    def _add_labels(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--label",
            action="append",
            default=[],
            type=code_and_column,
            metavar="CODE=COLUMN",
            help="Where a code's answers are: whole numbers, labels of levels, yes and no, or a list of 0 and 1 for "
            "the sentences; an empty cell is no label. Once for each code. A column of another table with the same "
            "texts: CODE=FILE:COLUMN. With from-table a column alone.",
        )
        parser.add_argument(
            "--evidence",
            action="append",
            default=[],
            type=code_and_column,
            metavar="CODE=COLUMN",
            help="Where the quoted words behind a code's answers are, in the same table as its label; has to be there "
            "for codes that ask for sentences and have no lists.",
        )
        parser.add_argument("--separator", default="|", help="Between quotes in one cell; default |.")
        parser.add_argument(
            "--rating",
            action="append",
            default=[],
            metavar="COLUMN",
            help="With from-table: whole numbers in this column are ratings and not classes. Repeatable.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self._make(options)
        except (CodebookError, CorpusError, ValueError, OSError) as problem:
            raise CommandError(str(problem)) from problem

    def _make(self, options: dict[str, Any]) -> None:
        from annotation.release.labelled_table import read_labelled_tables

        codebook, texts, columns = _find_columns(options)
        self._say_columns(texts, columns)
        table = options["table"]
        items = table if table not in {each.path for each in columns} else None
        tables = read_labelled_tables(codebook, texts, columns, options["separator"], _parts(options), items)
        request = ImportRequest(
            name=options["name"] or options["table"].stem,
            community=options["community"],
            ratio=read_ratio(options["ratio"]),
            seed=options["seed"],
            licence=options["licence"],
            consensus=Method(options["consensus"]),
            ties=Ties(options["ties"]),
            soft_labels=options["soft_labels"],
        )
        release = release_from_tables(tables, codebook, request, now=timezone.now())
        manifest = write_release(options["out"], release)
        self._say_counts(manifest, tables)
        self.stdout.write(str(options["out"]))

    def _say_columns(self, texts: TextColumns, columns: list[LabelColumn]) -> None:
        roles = {
            "post": texts.post,
            "reply": texts.reply,
            "group": texts.group or texts.post_id,
            "item": texts.item or texts.reply_id,
            "annotator": texts.annotator,
            "features": ", ".join(texts.features),
        }
        said = [f"{role} {column}" for role, column in roles.items() if column]
        said += [f"label {each.code} {each.value}" for each in columns]
        self.stderr.write(f"Columns: {'; '.join(said)}")

    def _say_counts(self, manifest: Manifest, tables: ReadTables) -> None:
        parts = ", ".join(f"{part} {n:,}" for part, n in manifest.counts.by_split.items())
        self.stdout.write(f"{manifest.counts.items:,} items ({parts}), {manifest.hash}")
        for why, n in manifest.counts.left_out.items():
            self.stdout.write(f"Left out, {LEFT_OUT_WORDS[why]}: {n:,}")
        if tables.reworded:
            self.stdout.write(
                f"Joined by their ids although their words differ, with the words that were read first:"
                f" {len(tables.reworded):,}"
            )
        if tables.n_textless:
            self.stdout.write(f"Labels of items that the table of texts does not have: {tables.n_textless:,}")
        unplaced = manifest.counts.by_source.get(LabelSource.UNPLACED.value)
        if unplaced:
            self.stdout.write(f"Without a label, because no quote says which sentence: {unplaced:,}")
        for how, n in sorted(tables.quotes.items()):
            self.stdout.write(f"Quotes, {how}: {n:,}")
        if tables.n_rounded:
            self.stdout.write(f"Ratings between two steps, rounded: {tables.n_rounded:,}")


def _find_columns(options: dict[str, Any]) -> tuple[Codebook, TextColumns, list[LabelColumn]]:
    from annotation.release.table_columns import TableShape

    shape = TableShape(options["table"])
    given = TextColumns(
        post=options["post_column"],
        reply=options["reply_column"],
        title=options["title_column"],
        post_id=options["post_id_column"],
        reply_id=options["reply_id_column"],
        group=options["group_column"],
        item=options["item_column"],
        part=options["split_column"],
        speakers=options["speaker_column"],
        annotator=options["annotator_column"],
        features=tuple(options["feature_column"]),
    )
    if options["codebook"] == FROM_TABLE:
        return _columns_without_codebook(options, shape, given)
    name = options["codebook"]
    codebook = load_codebook(shipped_path(name) if name in shipped_codebooks() else Path(name))
    columns = shape.label_columns(codebook, _columns(options))
    parts = {code.id: question.part for question, code in codebook.coded_questions()}
    judged = {parts[each.code] for each in columns if each.code in parts}
    texts = shape.text_columns(given, Part.REPLY if judged == {Part.REPLY} else Part.POST)
    return codebook, texts, columns


def _columns_without_codebook(
    options: dict[str, Any], shape: TableShape, given: TextColumns
) -> tuple[Codebook, TextColumns, list[LabelColumn]]:
    from annotation.release.table_codebook import codebook_of_table
    from annotation.release.table_columns import TableShape

    part = shape.judged_part()
    texts = shape.text_columns(given, part)
    asked = _columns(options)
    elsewhere = {
        each.code: (TableShape(each.path), each.value) for each in asked if each.path != options["table"]
    }
    named = [each.code if each.code in elsewhere else each.value for each in asked]
    context = {name for name in shape.names if name.casefold() == "context"}
    names = named or [name for name in shape.names if name not in {*texts.names(), *context}]
    codebook, column_of = codebook_of_table(
        shape,
        names,
        part=part,
        more=list(_parts(options)),
        ratings=frozenset(options["rating"]),
        leave_out=not named,
        elsewhere=elsewhere,
    )
    paths = {each.code: each for each in asked if each.code in elsewhere}
    columns = [
        replace(paths[column], code=code) if column in paths else LabelColumn(code, options["table"], column)
        for code, column in column_of.items()
    ]
    return codebook, texts, shape.label_columns(codebook, columns)


def _parts(options: dict[str, Any]) -> dict[Path, SplitPart]:
    named = {SplitPart.VALIDATION: options["validation"], SplitPart.TEST: options["test"]}
    return {path: part for part, path in named.items() if path}


def _columns(options: dict[str, Any]) -> list[LabelColumn]:
    quotes = dict(options["evidence"])
    found = []
    for code, column in options["label"]:
        path, is_elsewhere, name = (column or code).rpartition(":")
        found.append(
            LabelColumn(code, Path(path) if is_elsewhere else options["table"], name, quotes.pop(code, None))
        )
    if quotes:
        raise CommandError(f"--evidence without --label: {', '.join(quotes)}.")
    return found
