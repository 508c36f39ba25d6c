// Runs before the first paint, so that a chosen theme never flashes the other one.
(() => {
  "use strict";
  const root = document.documentElement;
  root.classList.add("js");
  try {
    const chosen = localStorage.getItem("attune-theme");
    if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
  } catch {
    // Storage may be refused; the system's preference then decides.
  }
})();
