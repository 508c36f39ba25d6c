// The tour of the demo: a card that leads through five pages, and stays away once it was put away.
(() => {
  "use strict";
  const card = document.querySelector("[data-tour]");
  if (!card) return;
  const steps = [...card.querySelectorAll("li")].map((item) => ({ ...item.dataset, text: item.textContent }));
  // A demo that was reset has another number, and its tour begins anew
  const place = `attune-tour-${card.dataset.tourStudy}-${card.dataset.tour}-${card.dataset.tourWho}`;
  const ENDED = "ended";
  const part = (name) => card.querySelector(`[data-tour-${name}]`);

  const remembered = () => {
    try { return localStorage.getItem(place); } catch { return ENDED; }
  };
  const remember = (value) => {
    try { localStorage.setItem(place, String(value)); } catch { /* Without storage the tour ends with the page. */ }
  };
  const isHere = (step) => new URL(step.url, location.href).pathname === location.pathname;

  let at = 0;
  const show = (focus) => {
    const step = steps[at], here = isHere(step);
    part("count").textContent = `Tour, ${at + 1} of ${steps.length}`;
    part("title").textContent = step.title;
    part("text").textContent = here ? step.text : "You left the path. The tour goes on from here when you want it to.";
    part("back").hidden = at === 0 || !here;
    part("next").textContent = here ? (at + 1 < steps.length ? "Next" : "Done") : "Go there";
    card.hidden = false;
    if (focus) part("next").focus({ preventScroll: true });
  };
  const end = () => {
    card.hidden = true;
    remember(ENDED);
  };
  const go = (number) => {
    if (number >= steps.length) { end(); return; }
    at = number;
    remember(at);
    if (isHere(steps[at])) show(true); else location.assign(steps[at].url);
  };

  part("next").addEventListener("click", () => go(isHere(steps[at]) ? at + 1 : at));
  part("back").addEventListener("click", () => go(at - 1));
  part("end").addEventListener("click", end);
  card.addEventListener("keydown", (event) => {
    if (event.key === "Escape") end();
    if (event.key === "ArrowRight") part("next").click();
    if (event.key === "ArrowLeft" && !part("back").hidden) part("back").click();
  });
  for (const button of document.querySelectorAll("[data-tour-start]")) button.addEventListener("click", () => go(0));

  // On the first page of a first visit, or where it was left
  const known = remembered();
  if (known === null ? isHere(steps[0]) : known !== ENDED && Number(known) < steps.length) {
    at = known === null ? 0 : Number(known);
    show(known !== null && isHere(steps[at]));
  }
})();
