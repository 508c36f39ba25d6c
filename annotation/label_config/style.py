"""The look of the labelling page: text on the left and always in view, questions beside it."""

# Label Studio escapes `>` inside <Style>, so there are only descendant selectors here. Lines are greys with
# transparency and texts inherit their colour, which suits its light and its dark theme alike.
STYLE = """
.attune { max-width: 1440px; margin: 0 auto; padding: 0 4px 16px; }
.attune-part { display: grid; grid-template-columns: repeat(auto-fit, minmax(310px, 1fr)); gap: 24px;
  align-items: start; padding: 12px 0 20px; border-bottom: 1px solid rgba(128, 128, 128, .3); }
.attune-text { position: sticky; top: 8px; max-height: calc(100vh - 180px); overflow-y: auto;
  padding: 12px 16px 16px; border: 1px solid rgba(128, 128, 128, .3); border-radius: 8px; }
.attune-text h3 { margin: 0 0 8px !important; font-size: 13px; font-weight: 500; opacity: .7; }
.attune-text h2 { margin: 0 0 8px !important; font-size: 18px; line-height: 1.35; }
.attune-text .lsf-richtext { margin: 0; padding: 0; }
.attune-text .lsf-richtext .lsf-richtext__container { padding: 0; font-size: 16px; line-height: 1.65; }
.attune-text .lsf-richtext .lsf-richtext__container, .attune-text h2 { unicode-bidi: plaintext; }
.attune-question { margin-bottom: 22px; }
.attune-question h4 { margin: 0 0 2px !important; font-size: 15px; font-weight: 600; line-height: 1.4; }
.attune-question h5 { margin: 8px 0 2px !important; font-size: 14px; font-weight: 600; }
.attune-instruction p { margin: 0 0 4px; font-size: 13px; line-height: 1.45; opacity: .75; }
.attune .ant-collapse { margin: 0 0 6px; background: none; }
.attune .ant-collapse .ant-collapse-item { border: 0; }
.attune .ant-collapse .ant-collapse-item .ant-collapse-header { padding: 2px 0; font-size: 13px; }
.attune .ant-collapse-content .ant-collapse-content-box { padding: 0 0 8px; }
.attune-codebook { max-height: 420px; overflow-y: auto; padding: 10px 14px; border-radius: 6px;
  border: 1px solid rgba(128, 128, 128, .3); }
.attune-codebook h6 { margin: 14px 0 2px; font-size: 14px; font-weight: 600; }
.attune-codebook p, .attune-codebook li { margin-block: 0 4px; font-size: 13px; line-height: 1.45; }
.attune-codebook ul { margin-bottom: 6px; }
.attune-row { display: flex; flex-wrap: wrap; align-items: center; gap: 0 12px; min-height: 32px; }
.attune-question .lsf-choices, .attune-row .lsf-choice, .attune-row .lsf-labels { margin: 0; padding: 0; }
.attune-row .lsf-choice .lsf-choice__item, .attune-levels .lsf-choice .lsf-choice__item { padding: 2px 0; }
.attune-row .lsf-label, .attune-levels .lsf-label { margin: 2px 0; border-radius: 4px; }
.attune-levels .lsf-choices { display: flex; flex-wrap: wrap; gap: 2px 18px; }
.attune-levels .lsf-labels { margin: 4px 0; }
.attune .lsf-label_selected .lsf-label__text { color: #1f2430; }
.attune .lsf-label_selected .lsf-label__hotkey { color: #1f2430; }
.attune-flag { padding-top: 12px; }
.attune-flag .lsf-text-area { max-width: 640px; }
"""
