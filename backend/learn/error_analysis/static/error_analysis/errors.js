// Errors by keyboard: j and k walk, 1 to 5 put a tag on the current error or take it off.
(() => {
  "use strict";
  const list = document.querySelector("[data-errors]");
  if (!list) return;
  let current = "";
  const all = () => [...list.querySelectorAll("[data-error]")];
  const show = (error, { scroll = true } = {}) => {
    for (const each of all()) each.removeAttribute("aria-current");
    if (!error) return;
    current = error.id;
    error.setAttribute("aria-current", "true");
    if (scroll) { error.focus({ preventScroll: true }); error.scrollIntoView({ block: "nearest" }); }
  };
  const here = () => document.getElementById(current);
  const move = (step) => {
    const errors = all();
    const at = errors.indexOf(here());
    show(errors[at < 0 ? 0 : Math.min(Math.max(at + step, 0), errors.length - 1)]);
  };
  const typing = (target) => target.closest?.("input, select, textarea, [contenteditable]");
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || typing(event.target)) return;
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "j" || event.key === "k") { event.preventDefault(); move(event.key === "j" ? 1 : -1); }
    const button = /^[1-9]$/.test(event.key) && here()?.querySelector(`[data-tag="${event.key}"]`);
    if (button) { event.preventDefault(); button.click(); }
  });
  list.addEventListener("focusin", (event) => show(event.target.closest("[data-error]"), { scroll: false }));
})();
