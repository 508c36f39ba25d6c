// Tooltips of charts: by pointer, by touch, and by keyboard (one tab stop a chart, arrow keys between its marks).
(() => {
  "use strict";
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.setAttribute("role", "status");
  tip.hidden = true;
  document.body.append(tip);
  let active = null;

  const place = (box) => {
    const gap = 10;
    const width = tip.offsetWidth;
    const height = tip.offsetHeight;
    const middle = box.left + box.width / 2 - width / 2;
    const left = Math.min(Math.max(gap, middle), document.documentElement.clientWidth - width - gap);
    const above = box.top - height - gap;
    tip.style.left = `${left}px`;
    tip.style.top = `${above > 0 ? above : box.bottom + gap}px`;
  };
  const hide = () => {
    active?.removeAttribute("data-active");
    active = null;
    tip.hidden = true;
  };
  const show = (mark) => {
    if (mark === active) return;
    hide();
    active = mark;
    mark.setAttribute("data-active", "");
    tip.textContent = mark.dataset.tip;
    tip.hidden = false;
    place((mark.querySelector("[data-anchor]") ?? mark).getBoundingClientRect());
  };

  // Figures of reports can hide naive or corrected marks.
  const isSeen = (mark) => mark.getClientRects().length > 0;
  const step = (marks, key) => {
    const at = marks.indexOf(active);
    if (key === "Home") return 0;
    if (key === "End") return marks.length - 1;
    const move = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
    return Math.min(Math.max(at + move, 0), marks.length - 1);
  };
  const keys = new Set(["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "Home", "End"]);

  document.addEventListener("pointerover", (event) => {
    const mark = event.target.closest?.(".chart [data-tip]");
    if (mark) show(mark);
    else if (active && !active.closest(".plot").matches(":focus-visible")) hide();
  });
  document.addEventListener("pointerdown", (event) => { if (!event.target.closest?.(".chart [data-tip]")) hide(); });
  document.addEventListener("focusin", (event) => {
    if (event.target.matches(".plot:focus-visible")) {
      const first = [...event.target.querySelectorAll("[data-tip]")].find(isSeen);
      if (first) show(first);
    }
  });
  document.addEventListener("focusout", (event) => { if (event.target.matches(".plot")) hide(); });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { hide(); return; }
    if (!event.target.matches?.(".plot") || !keys.has(event.key)) return;
    event.preventDefault();
    const marks = [...event.target.querySelectorAll("[data-tip]")].filter(isSeen);
    if (marks.length) show(marks[step(marks, event.key)]);
  });
  document.addEventListener("scroll", hide, { capture: true, passive: true });
})();
