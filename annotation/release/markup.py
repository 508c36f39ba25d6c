"""Words of a study put into Markdown and LaTeX so that they stay words."""

import re

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~])")
_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
}


def markdown_cell(text: str) -> str:
    r"""One line, with nothing that Markdown or HTML would take for its own.

    >>> print(markdown_cell("a|b <i>\nc"))
    a\|b \<i\> c
    """
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def latex_text(text: str) -> str:
    r"""
    >>> print(latex_text("50% of A_B"))
    50\% of A\_B
    """
    return "".join(_LATEX.get(character, character) for character in " ".join(text.split()))
