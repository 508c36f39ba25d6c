// Takes the words that are selected in the item's text into the quotes of a code.
(() => {
  "use strict";
  let selected = "";
  document.addEventListener("selectionchange", () => {
    const selection = document.getSelection();
    const source = selection?.anchorNode?.parentElement?.closest("[data-quote-source]");
    const words = source ? selection.toString().split(/\s+/).filter(Boolean).join(" ") : "";
    // Pressing a button clears the selection in some browsers, so the last one is kept.
    if (words) selected = words;
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-quote-into]");
    const box = button && document.getElementById(button.dataset.quoteInto);
    if (!box) return;
    if (selected) box.value = [...box.value.split("\n").filter((line) => line.trim()), selected].join("\n");
    selected = "";
    box.focus();
  });
})();
