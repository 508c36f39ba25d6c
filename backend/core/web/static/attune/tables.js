// Tables that sort by column (stable, numbers as numbers) and filter by words; also those htmx brings in later.
(() => {
  "use strict";
  const order = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  const cellValue = (row, column) => {
    const cell = row.cells[column];
    return cell ? cell.dataset.value ?? cell.textContent.trim() : "";
  };
  const asNumber = (text) => {
    const cleaned = text.replace(/[,\s\u2009\u202f%]/g, "");
    return cleaned === "" ? NaN : Number(cleaned);
  };
  // Rows without a number stay at the end whichever way the column is sorted.
  const compareNumbers = (left, right, sign) => {
    const [a, b] = [asNumber(left), asNumber(right)];
    if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
    return sign * (a - b);
  };

  const sortBy = (table, header) => {
    const first = header.dataset.sort === "number" ? "descending" : "ascending";
    const other = first === "ascending" ? "descending" : "ascending";
    const direction = header.getAttribute("aria-sort") === first ? other : first;
    const sign = direction === "ascending" ? 1 : -1;
    const column = header.cellIndex;
    const compare = header.dataset.sort === "number"
      ? (a, b) => compareNumbers(cellValue(a, column), cellValue(b, column), sign)
      : (a, b) => sign * order.compare(cellValue(a, column), cellValue(b, column));
    for (const body of table.tBodies) body.append(...[...body.rows].sort(compare));
    for (const cell of header.parentElement.cells) cell.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", direction);
  };

  const makeSortable = (table) => {
    if (table.dataset.sortable === "ready") return;
    table.dataset.sortable = "ready";
    for (const header of table.querySelectorAll("thead th[data-sort]")) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...header.childNodes);
      header.append(button);
      if (header.dataset.sortInitial) header.setAttribute("aria-sort", header.dataset.sortInitial);
      button.addEventListener("click", () => sortBy(table, header));
    }
  };

  const filter = (input) => {
    const table = document.querySelector(input.dataset.filterFor);
    if (!table) return;
    const words = input.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const body of table.tBodies) {
      for (const row of body.rows) {
        const text = row.textContent.toLocaleLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
        if (!row.hidden) shown += 1;
      }
    }
    for (const note of document.querySelectorAll("[data-filter-empty]")) {
      if (note.dataset.filterEmpty === input.dataset.filterFor) note.hidden = shown > 0;
    }
  };

  // A table that scrolls has to be reachable by keyboard.
  const makeReachable = (wrap) => {
    const scrolls = wrap.scrollWidth > wrap.clientWidth || wrap.scrollHeight > wrap.clientHeight;
    if (scrolls && !wrap.hasAttribute("tabindex")) wrap.tabIndex = 0;
  };

  const prepare = () => {
    document.querySelectorAll("table[data-sortable]").forEach(makeSortable);
    document.querySelectorAll(".table-wrap").forEach(makeReachable);
    document.querySelectorAll("[data-filter-for]").forEach((input) => { if (input.value) filter(input); });
  };
  document.addEventListener("input", (event) => { if (event.target.matches("[data-filter-for]")) filter(event.target); });
  document.addEventListener("htmx:load", prepare);
  prepare();
})();
