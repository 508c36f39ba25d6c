// Light or dark as the system says, now and whenever it changes: Label Studio's own choice is behind Attune's bar.
(() => {
  "use strict";
  const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
  // Label Studio's scripts read it while the page loads; they look at the system only then.
  window.localStorage.setItem("preferred-color-scheme", "Auto");
  prefersDark.addEventListener("change", () => {
    document.documentElement.setAttribute("data-color-scheme", prefersDark.matches ? "dark" : "light");
  });
})();
