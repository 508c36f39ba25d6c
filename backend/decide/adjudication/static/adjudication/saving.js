// Saving a decision: whole or not at all, once, and with the time that it took.
(() => {
  "use strict";
  const workspace = window.workspace;
  if (!workspace) return;
  const { form, rows, field, say, valueOf, isOpen, lacksWords, focus } = workspace;
  const opened = Date.now();
  let hidden = 0;
  let left = document.hidden ? opened : 0;

  const whyOpen = (row) => {
    if (valueOf(row) === "") return "This code has no answer yet.";
    if (lacksWords(row)) return "This code needs words: select some and press Enter.";
    return `Others’ words differ: select some, or press v ${valueOf(row)} to have none.`;
  };
  const save = (event) => {
    const open = rows.filter(isOpen);
    open.forEach((row) => row.classList.add("is-missing"));
    if (open.length) {
      event.preventDefault();
      focus(open[0]);
      say(whyOpen(open[0]));
      return;
    }
    if (form.dataset.sent) { event.preventDefault(); return; }
    form.dataset.sent = "yes";
    const away = hidden + (left ? Date.now() - left : 0);
    field("seconds").value = ((Date.now() - opened - away) / 1000).toFixed(1);
  };
  form.addEventListener("submit", save);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) left = Date.now(); else if (left) { hidden += Date.now() - left; left = 0; }
  });
  // Read again later, the page does not offer to undo by one key what was saved long ago
  if (document.querySelector("[data-just-saved]")) {
    const address = new URL(location.href);
    address.searchParams.delete("saved");
    history.replaceState(history.state, "", address);
  }
  window.addEventListener("pageshow", () => { delete form.dataset.sent; });
})();
