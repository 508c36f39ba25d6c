"""Text, numbers and the frame of a table for LaTeX, for every table of the house."""

from collections.abc import Iterable

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
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    # After the end of a row LaTeX would take it for the beginning of a length.
    "[": "{[}",
}


# What LaTeX's own fonts lack.
_SIGNS = {
    "π": r"$\pi$",
    "\N{MINUS SIGN}": "$-$",
    "χ²": r"$\chi^2$",
    "χ": r"$\chi$",
    "φ": r"$\phi$",
    "κ": r"$\kappa$",
    "λ": r"$\lambda$",
    "\N{GREEK SMALL LETTER ALPHA}": r"$\alpha$",
    "ε": r"$\varepsilon$",
    "\N{GREEK SMALL LETTER RHO}": r"$\rho$",
    "ω": r"$\omega$",
    "×": r"$\times$",
    "≥": r"$\geq$",
}


def latex_escaped(text: str) -> str:
    r"""Text that LaTeX prints as it is.

    >>> print(latex_escaped("100% R&D_{x}, Fleiss' κ = 0.7"))
    100\% R\&D\_\{x\}, Fleiss' $\kappa$ = 0.7
    """
    written = "".join(_LATEX.get(character, character) for character in text)
    for sign, command in _SIGNS.items():
        written = written.replace(sign, command)
    return written


def with_digits(value: float | None, digits: int) -> str:
    """That many digits, with a minus sign rather than a hyphen; a dash for what is undefined.

    >>> with_digits(-0.126, 2), with_digits(None, 2), with_digits(1234.5, 1)
    ('$-$0.13', '--', '1,234.5')
    """
    return "--" if value is None else f"{value:,.{digits}f}".replace("-", "$-$")


def two_digits(value: float | None) -> str:
    return with_digits(value, 2)


def with_interval(value: float | None, low: float | None, high: float | None) -> str:
    """
    >>> with_interval(0.5, 0.4, 0.6), with_interval(None, None, None)
    ('0.50 [0.40, 0.60]', '--')
    """
    interval = "" if low is None or high is None else f" [{two_digits(low)}, {two_digits(high)}]"
    return two_digits(value) + interval


def latex_row(*cells: str) -> str:
    return " & ".join(cells) + r" \\"


def tabular(lines: Iterable[str], columns: str) -> list[str]:
    """The lines of a table without its float; `lines` are heads and rows."""
    return [
        *(rf"\begin{{tabular}}{{{columns}}}", r"\toprule"),
        *lines,
        *(r"\bottomrule", r"\end{tabular}"),
    ]


def booktabs(
    lines: Iterable[str],
    *,
    columns: str,
    caption: str,
    label: str = "",
    wide: bool = False,
    small: bool = False,
) -> str:
    r"""A whole table for `\usepackage{booktabs}`; `lines` are heads and rows, `wide` is for two columns of text.

    >>> print(booktabs([r"Code & $n$ \\", r"\midrule", r"worry & 3 \\"], columns="lr", caption="Found"), end="")
    \begin{table}
    \centering
    \caption{Found}
    \begin{tabular}{lr}
    \toprule
    Code & $n$ \\
    \midrule
    worry & 3 \\
    \bottomrule
    \end{tabular}
    \end{table}
    """
    name = "table*" if wide else "table"
    head = [rf"\begin{{{name}}}", r"\centering", *([r"\small"] if small else [])]
    head += [rf"\caption{{{latex_escaped(caption)}}}", *([rf"\label{{tab:{label}}}"] if label else [])]
    return "\n".join([*head, *tabular(lines, columns), rf"\end{{{name}}}", ""])
