// Leaving the workspace: asks first, but only if there is something to lose.
(() => {
  "use strict";
  const workspace = window.workspace;
  if (!workspace) return;
  const { form } = workspace;
  const isWork = ([name]) => /^(value|spans)-|^(reason|settles)$/.test(name);
  const work = () => JSON.stringify([...new FormData(form)].filter(isWork));
  const opened = work();
  let isLeaving = false;
  // A form that is shown again holds what was sent and not saved
  const hasChanged = () => "unsaved" in form.dataset || work() !== opened;

  const leads = (node) => (node.matches("a") ? !node.target && node.pathname + node.search !== location.pathname + location.search
    : node.type === "submit" && node.form && node.form !== form);
  const isPlain = (event) => event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  // At the window, so that the question is there when the page looks for one (data-confirm)
  window.addEventListener("click", (event) => {
    const node = event.target.closest?.("a[href], button");
    if (!node || (node.dataset.confirm && !("leaves" in node.dataset))) return;
    if (!hasChanged() || !isPlain(event) || !leads(node)) { delete node.dataset.confirm; delete node.dataset.leaves; return; }
    node.dataset.leaves = "";
    node.dataset.confirm = "What you changed on this item is not saved.";
    node.dataset.confirmTitle = "Leave without saving?";
    node.dataset.confirmLabel = "Leave";
  }, true);
  // Reached only by a click that was confirmed
  document.addEventListener("click", (event) => { if (event.target.closest?.("[data-leaves]")) isLeaving = true; });
  window.addEventListener("beforeunload", (event) => {
    if (hasChanged() && !isLeaving && !form.dataset.sent) event.preventDefault();
  });
  window.addEventListener("pageshow", () => { isLeaving = false; });
})();
