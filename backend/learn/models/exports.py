"""Leaderboards for papers and spreadsheets."""

from __future__ import annotations

from backend.learn.models.boards import Board
from learning.scoring.leaderboard_tables import csv_board, latex_board

CONTENT_TYPES = {"csv": "text/csv; charset=utf-8", "tex": "application/x-tex; charset=utf-8"}


def export_board(board: Board, form: str) -> str:
    write = csv_board if form == "csv" else latex_board
    return write(board.table, overrides=board.overrides)
