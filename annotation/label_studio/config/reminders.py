"""Says beside a box what its highlight lacks, by style alone: Label Studio itself checks neither way."""

from annotation.label_studio.config.markup import literal
from codebook.schema import Code, Codebook, Evidence, Question

CODE_CLASS = "attune-code-"
SPAN_CLASS = "attune-span"
# The script of the labelling page looks for these two.
REQUIRED_CLASS = "attune-span-required"

# Label Studio writes `display: none` on a label whose box is not ticked, yet its key still selects it and
# its highlights stay: such a label is shown after all.
_UNTICKED = f'.{SPAN_CLASS}[style*="none"]'
_FOR_ALL = f"""
{_UNTICKED}:has(.lsf-label_selected) {{ display: flex !important; }}
{_UNTICKED}::after {{ content: "not ticked"; color: #c4453a; opacity: 1; }}
.attune-levels {_UNTICKED}::after {{ content: "not asked for at this level"; }}
.attune-sentences::after {{ content: "choose this, then select a sentence"; }}
.attune-sentences:has(.lsf-label_selected)::after {{ content: "now select a sentence"; }}
"""


def reminder_rules(codebook: Codebook) -> str:
    """A ticked box asks for its highlight; a highlight whose box is not ticked is called out."""
    asking = [
        (question, code)
        for question, code in codebook.coded_questions()
        if question.evidence is not Evidence.NONE
    ]
    return _FOR_ALL + "".join(_rules_of(question, code) for question, code in asking)


def _rules_of(question: Question, code: Code) -> str:
    # Label Studio marks a highlight with its number and the name of its label
    highlight = f'.htx-highlight[data-label$="{_css_string(":" + literal(code.name))}"]'
    box = f".{CODE_CLASS}{code.id}"
    rules = f".attune:has({highlight}) {box} {_UNTICKED} {{ display: flex !important; }}\n"
    if question.evidence is Evidence.REQUIRED:
        lacking = f".attune:not(:has({highlight})) {box} .{SPAN_CLASS}:not([style*=none])"
        rules += f'{lacking}::after {{ content: "choose this, then select the words"; }}\n'
        rules += f'{lacking}:has(.lsf-label_selected)::after {{ content: "now select the words"; }}\n'
    return rules


def _css_string(text: str) -> str:
    """Text inside quotes of a style sheet, with nothing left that markup or CSS could take for its own.

    >>> _css_string("Don't")
    'Don\\\\27 t'
    """
    return "".join(
        character if character.isascii() and character.isalnum() else f"\\{ord(character):x} "
        for character in text
    )
