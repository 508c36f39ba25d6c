"""How figures look: small type for columns of text, colours that all eyes tell apart, no decoration."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib
from matplotlib.colors import LinearSegmentedColormap

# Widths in inches: of one column of a paper with two, and of the page.
COLUMN, PAGE = 3.33, 7.0
INK, GREY, RULE = "#222222", "#7a7a7a", "#d9d9d9"
NAIVE, CORRECTED = "#7a7a7a", "#0072b2"
# Okabe & Ito's colours, in an order in which neighbours differ most.
SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
SHAPES = ("o", "s", "^", "D", "v", "P")
# Orange to blue through white: told apart with every kind of colour blindness, and by lightness from the middle.
DIVERGING = LinearSegmentedColormap.from_list(
    "attune",
    ["#7f3b08", "#b35806", "#e08214", "#fdb863", "#ffffff", "#92c5de", "#4393c3", "#2166ac", "#053061"],
)

PRINT_STYLE: Any = {
    # Comes with matplotlib, so that figures are the same on every machine.
    "font.family": ["DejaVu Sans"],
    "font.size": 7,
    "axes.titlesize": 7.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 7,
    "axes.edgecolor": RULE,
    "axes.linewidth": 0.6,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 6.5,
    "ytick.labelsize": 6.5,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.0,
    "xtick.major.size": 2.5,
    "ytick.major.size": 0.0,
    "legend.frameon": False,
    "legend.fontsize": 6.5,
    "text.color": INK,
    # Names of codes are text: a dollar in one begins no formula.
    "text.parse_math": False,
    # TrueType in PDFs, as publishers ask; outlines in SVGs, which then need no font.
    "pdf.fonttype": 42,
    "svg.fonttype": "path",
    "svg.hashsalt": "attune",
    "path.simplify": False,
}


@contextmanager
def house_style() -> Iterator[None]:
    """Whatever the settings of the person or machine are."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        with matplotlib.rc_context(PRINT_STYLE):
            yield
