// What a page of the documentation needs beyond its text: where the search lies, the way back, pictures of the chosen theme.
"use strict";
const root = document.documentElement;
// Read by MkDocs' search
var base_url = root.dataset.base;
if (location.pathname.startsWith("/docs/")) document.querySelector(".docs__app").hidden = false;
if (root.dataset.theme) {
  for (const source of document.querySelectorAll("source[media*=dark]")) {
    source.media = root.dataset.theme === "dark" ? "all" : "not all";
  }
}
