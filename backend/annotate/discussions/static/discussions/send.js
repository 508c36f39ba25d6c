// Ctrl+Enter (or Cmd+Enter) in a box that asks for it sends the form.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
  if (!event.target.matches?.("[data-send-with='ctrl-enter']")) return;
  event.preventDefault();
  event.target.form.requestSubmit();
});
