// The keys and buttons of the workspace.
(() => {
  "use strict";
  const workspace = window.workspace;
  if (!workspace) return;
  const { form, setValue, takeCell, takeAll, takeWords, paint, focus, move, fold, step, deny, setLevel } = workspace;
  const { hasCaret, enterCaret, leaveCaret, walk, addSelected, removeSelected } = workspace;
  let prefix = "";

  // Keys that are no buttons; capturing, so that the second key of a pair is not taken for a shortcut
  const typing = (target) => target.matches?.("textarea, select, input:not([type=radio], [type=checkbox])");
  const arrows = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"]);
  const pairs = { v: setLevel, t: takeWords };
  const modifiers = new Set(["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock", "NumLock", "Fn"]);
  // Some keyboards write digits with Shift: the key counts then, whatever it writes
  const digitOf = (event) => (/^[0-9]$/.test(event.key) ? event.key : /^Digit([0-9])$/.exec(event.code)?.[1]);
  const handled = (event) => {
    if (modifiers.has(event.key)) return false;
    if (prefix) {
      const pair = pairs[prefix];
      prefix = "";
      if (digitOf(event)) { pair(workspace.focused, digitOf(event)); return true; }
    }
    if (event.key in pairs) { prefix = event.key; return true; }
    if (event.key === "M") { takeCell(workspace.focused, "m"); paint(); return true; }
    if (hasCaret() && arrows.has(event.key)) { walk(event.key, event.shiftKey); return true; }
    if (event.target.matches?.("input[type=radio]") && arrows.has(event.key)) return false;
    switch (event.key) {
      case "ArrowDown": move(1); return true;
      case "ArrowUp": move(-1); return true;
      case " ": if (event.target.matches?.("button, a, summary, input")) return false; step(workspace.focused, 1); return true;
      case "+": step(workspace.focused, 1); return true;
      case "-": step(workspace.focused, -1); return true;
      case "x": deny(workspace.focused); return true;
      case "e": addSelected(); return true;
      case "Enter": if (event.target.matches?.("button, a, summary, [type=checkbox]")) return false; addSelected(); return true;
      case "Backspace": case "Delete": removeSelected(); return true;
      default: return takenByDigit(event);
    }
  };
  // What writes the digit takes the whole answer, as a shortcut of its button; with Shift the other way, for this code
  const takenByDigit = (event) => {
    if (/^[0-9]$/.test(event.key) || !digitOf(event)) return false;
    takeCell(workspace.focused, digitOf(event));
    paint();
    return true;
  };
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || document.querySelector("dialog[open]")) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      // Elsewhere on the page it belongs to a link or to another form
      if (!form.contains(event.target) && event.target !== document.body) return;
      event.preventDefault();
      form.requestSubmit(form.querySelector("[data-save]"));
      return;
    }
    if (event.key === "Escape") { if (typing(event.target)) focus(workspace.focused); else if (hasCaret()) leaveCaret(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    if (handled(event)) { event.preventDefault(); event.stopPropagation(); }
  }, true);

  form.addEventListener("click", (event) => {
    const on = (selector, act) => { const node = event.target.closest(selector); if (node) act(node); };
    on("[data-take]", takeAll);
    on("[data-move]", (node) => move(Number(node.dataset.move)));
    on("[data-fold]", () => fold(!form.querySelector("[data-agreed]").hidden));
    on("[data-caret]", () => (hasCaret() ? leaveCaret() : enterCaret()));
    on("[data-all]", (node) => { workspace.all = !workspace.all; node.setAttribute("aria-pressed", String(workspace.all)); paint(); });
    on("[data-column]", (node) => { takeCell(node.closest("tr"), node.dataset.column); });
    // Choosing what is chosen already confirms it
    on("input[type=radio]", (node) => setValue(node.closest("tr"), node.value));
    on("tr[data-code]", (row) => { if (!event.target.matches("input")) focus(row); });
  });
  form.addEventListener("change", (event) => {
    if (!event.target.matches("input[type=radio]")) return;
    const row = event.target.closest("tr");
    if (row !== workspace.focused) { workspace.focused?.removeAttribute("aria-current"); focus(row); } else paint();
  });
})();
