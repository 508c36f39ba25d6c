"""Reads labels that something outside gave to items of a study: a table with a column of ids and one for each code."""

from __future__ import annotations

from codebook.schema import AnswerKind, Code, Codebook, Question
from corpus.delimited import ITEM_NAMES, Row, Table, TableUnreadable, read_delimited
from learning.predictions.rows import CodePrediction, ItemPrediction, answer_values

_YES, _NO = ("1", "yes", "true"), ("0", "no", "false")


def read_label_columns(content: bytes, codebook: Codebook, *, name: str) -> tuple[ItemPrediction, ...]:
    r"""A column is found by the code's id or name, in any order; other columns are not used, a blank cell is no label.
    A label is a number, a level's name, or yes and no. Raises TableUnreadable.

    >>> from codebook.shipped import load_shipped
    >>> table = b"label,item_id,emotional-reactions\nx,a1,Strong\nx,a2,0\nx,a3,\n"
    >>> for each in read_label_columns(table, load_shipped("epitome"), name="GPT"):
    ...     print(each.item_id, [(code.code_id, code.value) for code in each.codes])
    a1 [('emotional-reactions', 2)]
    a2 [('emotional-reactions', 0)]
    """
    table = read_delimited(content)
    header = [cell.casefold() for cell in table.header]
    at_item = next((header.index(each) for each in ITEM_NAMES if each in header), None)
    if at_item is None:
        raise TableUnreadable(
            f"No column names the items; call it item_id. There are {_list_columns(table)}."
        )
    columns = _code_columns(codebook, header, at_item)
    if not columns:
        known = ", ".join(code.id for _, code in codebook.coded_questions())
        raise TableUnreadable(
            f"No column is called as a theme of the codebook ({known}). There are {_list_columns(table)}."
        )
    found: dict[str, ItemPrediction] = {}
    for row in table.rows:
        item = row.cells[at_item]
        codes = tuple(
            CodePrediction(code.id, _value(row, row.cells[at], question, code))
            for at, question, code in columns
            if row.cells[at]
        )
        if not item and codes:
            raise TableUnreadable(f"Line {row.line}: the item is missing; fill it in or remove the line.")
        if item in found:
            raise TableUnreadable(f"Line {row.line}: item {item} is there twice; keep one row of it.")
        if codes:
            found[item] = ItemPrediction(item, codes, name)
    if not found:
        raise TableUnreadable("The table has no labels: give one in a column of a theme.")
    return tuple(found.values())


def _code_columns(codebook: Codebook, header: list[str], at_item: int) -> list[tuple[int, Question, Code]]:
    """In the codebook's order. Marked sentences have no column: a label does not say which."""
    found = []
    for question, code in codebook.coded_questions():
        named = [header.index(each) for each in (code.id.casefold(), code.name.casefold()) if each in header]
        if question.answer is not AnswerKind.SENTENCES and named and named[0] != at_item:
            found.append((named[0], question, code))
    return found


def _value(row: Row, label: str, question: Question, code: Code) -> int:
    if question.answer is AnswerKind.TICK:
        if label.casefold() in (*_YES, *_NO):
            return int(label.casefold() in _YES)
    else:
        for level in question.levels:
            if label.casefold() == level.label.casefold() or _number(label) == level.value:
                return level.value
    values = ", ".join(map(str, answer_values(question)))
    raise TableUnreadable(f"Line {row.line}: “{label}” is no label of {code.id}; it can be {values}.")


def _number(label: str) -> float | None:
    try:
        return float(label)
    except ValueError:
        return None


def _list_columns(table: Table) -> str:
    return ", ".join(table.header)
