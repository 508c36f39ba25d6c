// What every page can do: choose a theme, open menus, copy, confirm, submit on change, and answer to keys.
(() => {
  "use strict";
  const root = document.documentElement;

  // Theme
  const storedTheme = () => {
    try { return localStorage.getItem("attune-theme") || "system"; } catch { return root.dataset.theme || "system"; }
  };
  const showTheme = () => {
    for (const button of document.querySelectorAll("[data-theme-choice]")) {
      button.setAttribute("aria-pressed", String(button.dataset.themeChoice === storedTheme()));
    }
  };
  const chooseTheme = (choice) => {
    if (choice === "system") delete root.dataset.theme; else root.dataset.theme = choice;
    try {
      if (choice === "system") localStorage.removeItem("attune-theme"); else localStorage.setItem("attune-theme", choice);
    } catch {
      // Without storage the choice holds for this page only.
    }
    showTheme();
  };

  // Menus
  const closeMenus = (except) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) if (menu !== except) menu.open = false;
  };
  const toggleSideNavigation = (button) => {
    const nav = document.getElementById(button.getAttribute("aria-controls"));
    const open = nav.toggleAttribute("data-open");
    button.setAttribute("aria-expanded", String(open));
    if (open) nav.querySelector("a")?.focus();
  };

  // Copying
  const copiedText = (button) => button.dataset.copy ?? button.closest(".code")?.querySelector("pre")?.textContent ?? "";
  const copyBySelection = (text) => {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "visually-hidden";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  };
  const copy = async (button) => {
    const text = copiedText(button);
    let done;
    // The clipboard API exists only on https and localhost.
    try { await navigator.clipboard.writeText(text); done = true; } catch { done = copyBySelection(text); }
    const status = button.querySelector("[role=status]");
    if (status) status.textContent = done ? "Copied" : "Could not copy: select the text and copy it yourself";
    if (!done) return;
    button.dataset.copied = "";
    setTimeout(() => { delete button.dataset.copied; if (status) status.textContent = ""; }, 1600);
  };

  // Dialogs
  const element = (tag, className, text) => {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text) made.textContent = text;
    return made;
  };
  const openDialog = (heading, ...parts) => {
    const dialog = element("dialog", "dialog");
    const title = element("h2", "", heading);
    title.id = "dialog-title";
    dialog.setAttribute("aria-labelledby", title.id);
    dialog.append(title, ...parts);
    document.body.append(dialog);
    dialog.addEventListener("close", () => dialog.remove());
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    dialog.showModal();
    return dialog;
  };
  const dialogButton = (label, className) => {
    const button = element("button", `button ${className}`, label);
    button.type = "button";
    return button;
  };
  const askFirst = (trigger, goOn) => {
    const stop = dialogButton("Cancel", "button--quiet");
    const go = dialogButton(trigger.dataset.confirmLabel || "Continue", "button--primary");
    if (trigger.matches(".button--danger")) go.classList.add("button--danger");
    const actions = element("div", "dialog__actions");
    actions.append(stop, go);
    const text = element("p", "dialog__text", trigger.dataset.confirm);
    const dialog = openDialog(trigger.dataset.confirmTitle || "Are you sure?", text, actions);
    stop.addEventListener("click", () => dialog.close());
    go.addEventListener("click", () => { dialog.close(); goOn(); });
    stop.focus();
  };
  // Capturing, so that neither htmx nor the browser acts before the answer; the second click is let through.
  const confirmed = new WeakSet();
  document.addEventListener("click", (event) => {
    const trigger = event.target.closest?.("[data-confirm]");
    if (!trigger || confirmed.delete(trigger)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    askFirst(trigger, () => { confirmed.add(trigger); trigger.click(); });
  }, true);

  // While a dialog is open, the page under it stays as it is: what the dialog was opened by must be there when it is
  // answered. Parts that refresh themselves go on with their next turn.
  const dialogIsOpen = () => document.querySelector("dialog[open]") !== null;
  document.addEventListener("htmx:beforeRequest", (event) => { if (dialogIsOpen()) event.preventDefault(); });
  document.addEventListener("htmx:beforeSwap", (event) => { if (dialogIsOpen()) event.detail.shouldSwap = false; });

  // A part of the page that is fetched anew keeps open what the reader had opened, and closed what they had closed.
  const folds = new Map();
  document.addEventListener("htmx:beforeSwap", (event) => {
    folds.clear();
    for (const fold of event.detail.target.querySelectorAll("details[id]")) folds.set(fold.id, fold.open);
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const [id, open] of folds) document.getElementById(id)?.toggleAttribute("open", open);
    folds.clear();
  });

  // Keys
  const typing = (target) => target.closest?.("input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]");
  const visible = (selector) => [...document.querySelectorAll(selector)].filter((node) => node.checkVisibility());
  const shortcutLabel = (node) =>
    node.dataset.shortcutLabel || node.getAttribute("aria-label") || node.textContent.trim() || node.placeholder || "";
  const showShortcuts = () => {
    if (dialogIsOpen()) return;
    const list = element("dl", "shortcuts");
    // A hint names keys that a page's own script answers to: it is listed here, and never clicked.
    const rows = visible("[data-shortcut], [data-key-hint]").map((node) => [node.dataset.shortcut ?? node.dataset.keyHint, shortcutLabel(node)]);
    for (const [keys, label] of [...rows, ["?", "Show these shortcuts"]]) {
      const term = element("dt");
      keys.split(" ").forEach((key) => term.append(element("kbd", "", key), " "));
      list.append(term, element("dd", "", label.replace(/\s+/g, " ")));
    }
    const close = dialogButton("Close", "button--primary");
    const actions = element("div", "dialog__actions");
    actions.append(close);
    const dialog = openDialog("Keyboard shortcuts", list, actions);
    close.addEventListener("click", () => dialog.close());
    close.focus({ preventScroll: true });
    dialog.scrollTop = 0;
  };
  let pressed = [];
  let forgetting;
  const pressKey = (event) => {
    pressed = [...pressed, event.key].slice(-2);
    clearTimeout(forgetting);
    forgetting = setTimeout(() => { pressed = []; }, 900);
    const wanted = [pressed.join(" "), event.key];
    const node = visible("[data-shortcut]").find((candidate) => wanted.includes(candidate.dataset.shortcut));
    if (!node) return;
    event.preventDefault();
    pressed = [];
    if (node.matches("input:not([type=checkbox], [type=radio]), select, textarea")) node.focus(); else node.click();
  };
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { closeMenus(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || typing(event.target)) return;
    if (dialogIsOpen()) return;
    if (event.key === "?") { event.preventDefault(); showShortcuts(); } else pressKey(event);
  });

  document.addEventListener("click", (event) => {
    const target = event.target;
    closeMenus(target.closest("details.menu"));
    const on = (selector, act) => { const node = target.closest(selector); if (node) act(node); };
    on("[data-theme-choice]", (node) => chooseTheme(node.dataset.themeChoice));
    on("[data-menu-toggle]", toggleSideNavigation);
    on("button.copy", copy);
    on("[data-show-shortcuts]", () => { closeMenus(); showShortcuts(); });
  });
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-autosubmit]")) event.target.form?.requestSubmit();
  });
  for (const type of ["dragenter", "dragleave", "drop"]) {
    document.addEventListener(type, (event) => {
      if (event.target.matches?.("input[type=file]")) event.target.toggleAttribute("data-over", type === "dragenter");
    });
  }
  document.addEventListener("DOMContentLoaded", showTheme);
  if (document.readyState !== "loading") showTheme();
})();
