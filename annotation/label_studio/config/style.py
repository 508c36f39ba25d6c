"""The look of the labelling page: text on the left and always in view, questions beside it."""

from annotation.label_studio.config.markup import literal
from codebook.schema import Code, Codebook, Evidence, Question

# Label Studio escapes `>` inside <Style>, so there are only descendant selectors here. Lines are greys with
# transparency and texts inherit their colour, which suits its light and its dark theme alike.
_PAGE = """
.attune { max-width: 1480px; margin: 0 auto; padding: 0 12px 16px; }
.attune-section { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 7fr); gap: 32px;
  align-items: start; padding: 0 0 24px; margin: 0 0 24px; border-bottom: 1px solid rgba(128, 128, 128, .3); }
.attune-texts { position: sticky; top: 0; display: flex; flex-direction: column; gap: 12px;
  max-height: calc(100vh - 140px); }
.attune-texts div:has(.attune-text) { display: contents; }
.attune-flag { padding-inline-start: calc((100% - 32px) * 5 / 12 + 32px); }
.attune-flag .lsf-text-area { max-width: 640px; }
@media (max-width: 860px) {
  .attune-section { grid-template-columns: minmax(0, 1fr); gap: 16px; }
  .attune-texts { z-index: 3; max-height: 42vh; background: var(--color-neutral-background, Canvas); }
  .attune-flag { padding: 0; }
}
"""

# Each line of a text takes its direction from its own first letter, as posts mix languages.
_TEXTS = """
.attune-text { flex: 0 1 auto; min-height: 0; overflow-y: auto; overscroll-behavior: contain;
  padding: 14px 20px 18px; border: 1px solid rgba(128, 128, 128, .3); border-radius: 10px; }
.attune-texts:has(.attune-context) .attune-judged { flex-shrink: 0; max-height: 52vh; }
.attune-texts:has(.attune-judged) .attune-context { min-height: 84px; }
.attune-text h3 { margin: 0 0 8px !important; font-size: 13px; font-weight: 500; line-height: 1.4; opacity: .7; }
.attune-text h2 { margin: 0 0 8px !important; font-size: 18px; font-weight: 600; line-height: 1.35; }
.attune-text h2:empty { display: none; }
.attune-text h2, .attune-text .lsf-richtext .lsf-richtext__container {
  text-align: start; unicode-bidi: plaintext; overflow-wrap: anywhere; }
.attune-text .lsf-richtext, .attune-text .lsf-richtext .lsf-richtext__container { margin: 0; padding: 0; }
.attune-text .lsf-richtext .lsf-richtext__container { font-size: 16px; line-height: 1.65; }
.attune-text .lsf-richtext .lsf-richtext__line { display: inline; padding: 0; white-space: pre-wrap; }
"""

_QUESTIONS = """
.attune-question { position: relative; padding: 2px 0 22px; }
.attune-question h4 { margin: 0 108px 2px 0 !important; font-size: 15px; font-weight: 600; line-height: 1.4; }
.attune-question h5 { margin: 6px 0 2px !important; font-size: 14px; font-weight: 600; }
.attune-instruction p { margin: 0 0 6px; font-size: 13px; line-height: 1.45; opacity: .75; }
.attune .ant-collapse { margin: 0; background: none; color: inherit; }
.attune .ant-collapse .ant-collapse-item { border: 0; }
.attune .ant-collapse .ant-collapse-item .ant-collapse-header { position: absolute; top: 0; inset-inline-end: 0;
  align-items: center; padding: 2px 8px; border-radius: 6px; font-size: 13px; color: inherit; }
.attune .ant-collapse .ant-collapse-item .ant-collapse-header:hover { background: rgba(128, 128, 128, .15); }
.attune .ant-collapse-header .ant-collapse-expand-icon { display: flex; align-items: center; }
.attune .ant-collapse-header .ant-collapse-arrow { margin-inline-end: 6px !important; }
.attune .ant-collapse .ant-collapse-content { color: inherit; background: none; }
.attune .ant-collapse-content .ant-collapse-content-box { padding: 2px 0 8px; }
.attune-codebook { max-height: 50vh; overflow-y: auto; overscroll-behavior: contain; padding: 2px 16px 12px;
  border: 1px solid rgba(128, 128, 128, .3); border-radius: 8px; background: rgba(128, 128, 128, .06); }
.attune-codebook h6 { margin: 14px 0 2px; font-size: 14px; font-weight: 600; }
.attune-codebook p, .attune-codebook li { margin-block: 0 3px; font-size: 13px; line-height: 1.45; }
.attune-codebook ul { margin: 0 0 6px; padding-inline-start: 18px; }
.attune-codebook li { margin-inline: 0; padding: 0; }
"""

_ANSWERS = """
.attune-row { display: flex; flex-wrap: wrap; align-items: center; gap: 0 14px; min-height: 36px; }
.attune .lsf-choices, .attune .lsf-choice, .attune .lsf-labels { margin: 0; padding: 0; }
.attune .lsf-choice .lsf-choice__item { margin: 0; padding: 3px 0; }
.attune .lsf-choice label, .attune .lsf-choice label span { line-height: 1.4; }
.attune .lsf-hint { top: 0; margin-inline-start: 6px; font-size: 12px; font-weight: 400; opacity: .65;
  vertical-align: baseline; }
.attune .lsf-label { margin: 2px 0; border-radius: 5px; font-size: 13px; }
.attune .lsf-label_selected .lsf-label__text, .attune .lsf-label_selected .lsf-label__hotkey { color: #1f2430; }
.attune-span { display: flex; flex-wrap: wrap; align-items: center; gap: 0 10px; }
.attune-span::after, .attune-sentences::after { font-size: 12px; opacity: .75; }
.attune-levels .lsf-choices { display: flex; flex-wrap: wrap; gap: 0 20px; }
.attune-scale .lsf-choices { display: grid; grid-template-columns: repeat(auto-fit, minmax(116px, 1fr)); gap: 0 8px; }
"""

# What Label Studio puts around a labelling page and reading and judging do not need. Of its side panels only the
# chosen highlight is left, in the bar at the foot, because that is where a mouse can remove it.
_FURNITURE = """
.lsf-sidepanels:has(.attune) { padding-inline: 0 !important; }
.lsf-sidepanels:has(.attune) .lsf-tabs-panel:not(:has(.lsf-detailed-region)),
.lsf-sidepanels:has(.attune) .lsf-tabs-panel__header, .lsf-sidepanels:has(.attune) .lsf-tabs__tabs-row,
.lsf-sidepanels:has(.attune) .lsf-tabs-panel__resizers, .lsf-sidepanels:has(.attune) .lsf-detailed-region__icon,
.lsf-sidepanels:has(.attune) .lsf-detailed-region__head span:not(.lsf-detailed-region__title span),
.lsf-sidepanels:has(.attune) .lsf-region-actions__group_align_left,
.lsf-sidepanels:has(.attune) button[aria-label="Hide selected region"],
.lsf-editor:has(.attune) .lsf-view-all-toggle, .lsf-editor:has(.attune) button[aria-label="Create an annotation"],
.lsf-content-wrapper:has(.attune) .lsf-menu-header__context-item_right a[href$="/settings"],
.attune [data-testid="textarea-counts"] { display: none; }
.lsf-sidepanels:has(.attune) .lsf-sidepanels__wrapper_align_right { z-index: 102; }
.lsf-sidepanels:has(.attune) .lsf-tabs-panel { position: fixed; inset: auto 420px 0 auto;
  width: min(420px, 100vw - 730px) !important; height: 49px !important; border: 0; background: none; }
.lsf-sidepanels:has(.attune) .lsf-tabs-panel div { overflow: hidden !important; background: none; }
.lsf-sidepanels:has(.attune) .lsf-tabs-panel__body, .lsf-sidepanels:has(.attune) .lsf-tabs,
.lsf-sidepanels:has(.attune) .lsf-tabs__contents { height: 49px; }
.lsf-sidepanels:has(.attune) .lsf-labels-list span { color: var(--color-neutral-content, inherit) !important; }
.lsf-sidepanels:has(.attune) .lsf-region-actions, .lsf-sidepanels:has(.attune) .lsf-region-actions__group {
  flex: none; overflow: visible !important; }
.lsf-sidepanels:has(.attune) .lsf-detailed-region { display: flex; align-items: center; height: 41px; }
.lsf-sidepanels:has(.attune) .lsf-detailed-region__head { flex: none; margin: 0; }
.lsf-sidepanels:has(.attune) .lsf-region-meta__content { margin: 0; white-space: nowrap; text-overflow: ellipsis; }
"""

STYLE = _PAGE + _TEXTS + _QUESTIONS + _ANSWERS + _FURNITURE


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
