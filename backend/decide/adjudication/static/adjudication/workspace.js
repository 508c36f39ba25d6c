// The workspace of adjudication: the final answer of every code, whose answer was taken, which code is in focus, what is painted.
(() => {
  "use strict";
  const form = document.querySelector("[data-workspace]");
  const rows = form ? [...form.querySelectorAll("tr[data-code]")] : [];
  if (!rows.length) return;
  const texts = [...form.querySelectorAll(".workspace__text")];
  const field = (name) => form.elements.namedItem(name);
  const status = form.querySelector("[data-status]");
  const say = (words) => { status.textContent = words; };
  // What the other scripts of the workspace share: `selected` is where the caret stands, `all` shows the snippets of every code
  const workspace = { form, rows, texts, field, say, focused: null, all: false, selected: null };
  window.workspace = workspace;

  // Places are code points, "0-12 20-31", as the server counts them; the page never counts itself.
  const read = (written) => (written || "").split(" ").filter(Boolean).map((place) => place.split("-").map(Number));
  const write = (places) => places.map((place) => place.join("-")).join(" ");
  const within = ([start, end], places) => places.some(([first, last]) => first <= start && end <= last);
  const touches = ([start, end], [first, last]) => first < end && start < last;

  for (const text of texts) {
    text.pieces = [...text.children].map((node) => ({ node, place: [Number(node.dataset.s), Number(node.dataset.e)] }));
    text.wordPlaces = read(text.dataset.words);
    text.sentencePlaces = read(text.dataset.sentences);
  }
  const textOf = (row) => texts.find((text) => text.dataset.part === row.dataset.part);
  const wordsAt = (text, place) => text.pieces.filter((piece) => within(piece.place, [place])).map((piece) => piece.node.textContent).join("");

  // The final answer of a row
  const radios = (row) => [...row.querySelectorAll("input[type=radio]")];
  const valueOf = (row) => radios(row).find((radio) => radio.checked)?.value ?? "";
  const isPresent = (row, value) => row.dataset.present.split(" ").includes(value);
  const placesField = (row) => row.querySelector("[data-places]");
  const placesOf = (row) => read(placesField(row)?.value);
  // Rows that only a column's key has filled in; what somebody chose for one code is theirs and stays
  const taken = new Set();
  // Words that differ are left open by the server until somebody has chosen some, or confirmed that there are none
  const touch = (row) => { taken.delete(row); delete row.dataset.untouched; row.classList.remove("is-missing"); };
  const isUntouched = (row) => "untouched" in row.dataset;
  const setPlaces = (row, places) => {
    if (!placesField(row)) return;
    touch(row);
    placesField(row).value = write(places.sort((one, other) => one[0] - other[0]));
    showSnippets(row);
    count();
  };
  const setValue = (row, value) => {
    for (const radio of radios(row)) radio.checked = radio.value === value;
    if (value !== "" && !isPresent(row, value)) setPlaces(row, []);
    touch(row);
    count();
  };
  const showSnippets = (row) => {
    const box = row.querySelector("[data-snippets]");
    const text = textOf(row);
    box.replaceChildren(...placesOf(row).map((place) => {
      const chip = document.createElement("button");
      chip.type = "button";
      chip.className = "snippet";
      chip.tabIndex = -1;
      chip.title = "Remove this snippet";
      chip.textContent = wordsAt(text, place);
      chip.addEventListener("click", () => { removePlace(row, place); paint(); });
      return chip;
    }));
  };
  const removePlace = (row, gone) => setPlaces(row, placesOf(row).filter((place) => write([place]) !== write([gone])));
  const addPlaces = (row, added) => {
    let places = placesOf(row);
    for (const place of added) {
      const joined = row.dataset.kind === "sentences" ? [] : places.filter((known) => touches(known, place));
      const merged = [place, ...joined];
      places = places.filter((known) => !joined.includes(known) && write([known]) !== write([place]));
      places.push([Math.min(...merged.map((one) => one[0])), Math.max(...merged.map((one) => one[1]))]);
    }
    if (!isPresent(row, valueOf(row)) && row.dataset.kind !== "levels") setValue(row, "1");
    setPlaces(row, places);
    if (!isPresent(row, valueOf(row))) say("Now choose how strongly: v and the level’s number.");
  };
  // A code is open without an answer, without the words that its answer asks for, and where others' words differ
  const lacksWords = (row) => row.dataset.wordsWanted === "required" && isPresent(row, valueOf(row)) && !placesOf(row).length;
  const isOpen = (row) => valueOf(row) === "" || lacksWords(row) || isUntouched(row);
  const count = () => {
    const open = rows.filter(isOpen);
    for (const row of rows) {
      row.classList.toggle("lacks-words", lacksWords(row));
      row.classList.toggle("has-words-left", isUntouched(row) && !lacksWords(row));
    }
    say(open.length ? `${open.length} code${open.length > 1 ? "s" : ""} still open` : "All codes are decided");
  };

  // Taking somebody's answer
  const cellOf = (row, column) => row.querySelector(`[data-column="${column}"]`);
  const takeCell = (row, column) => {
    const cell = cellOf(row, column);
    if (!cell || cell.dataset.value === "") return false;
    setValue(row, cell.dataset.value);
    setPlaces(row, read(cell.dataset.spans));
    return true;
  };
  const reopen = (row) => {
    const { value, places, isLeft } = row.opened;
    setValue(row, value);
    setPlaces(row, read(places));
    if (isLeft) row.dataset.untouched = "";
    count();
  };
  const takeAll = (button) => {
    const column = button.dataset.take;
    // An older edition lacks codes: they must not keep what another column said
    for (const row of [...taken]) reopen(row);
    for (const row of rows) if (takeCell(row, column)) taken.add(row);
    field("way").value = column === "m" ? "majority" : button.dataset.annotator ? "accepted" : "";
    field("accepted_from").value = button.dataset.annotator ?? "";
    for (const other of form.querySelectorAll("[data-take]")) other.setAttribute("aria-pressed", String(other === button));
    paint();
    rows.filter(isOpen).slice(0, 1).forEach(focus);
  };
  const takeWords = (row, column) => {
    const places = read(cellOf(row, column)?.dataset.spans);
    if (places.length && placesField(row)) { addPlaces(row, places); paint(); } else say("That side has no snippet for this code.");
  };

  // What is painted: underlines by whom, the final answer as a highlighter, and the caret
  const paint = () => {
    const shown = workspace.all ? rows : rows.filter((row) => row === workspace.focused);
    for (const text of texts) {
      const own = shown.filter((row) => row.dataset.part === text.dataset.part);
      const lanes = [1, 2, 3, 4, 5, 6].map((lane) =>
        own.flatMap((row) => [...row.querySelectorAll(`[data-lane="${lane}"]`)].flatMap((cell) => read(cell.dataset.spans))));
      const final = own.flatMap(placesOf);
      const selected = workspace.selected?.text === text ? [workspace.selected.place] : [];
      text.classList.toggle("is-judged", workspace.focused?.dataset.part === text.dataset.part);
      for (const { node, place } of text.pieces) {
        lanes.forEach((lane, at) => node.classList.toggle(`m${at + 1}`, within(place, lane)));
        node.classList.toggle("is-final", within(place, final));
        node.classList.toggle("is-caret", within(place, selected));
      }
    }
  };
  const focus = (row) => {
    if (row.closest("[data-agreed]")?.hidden) fold(false);
    workspace.focused?.removeAttribute("aria-current");
    workspace.focused = row;
    row.setAttribute("aria-current", "true");
    // One row at a time is a stop of the tab key; without this script each of them is
    for (const other of rows) for (const radio of radios(other)) radio.tabIndex = other === row ? 0 : -1;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
    for (const guide of form.querySelectorAll("[data-guideline]")) {
      guide.hidden = guide.dataset.guideline !== row.dataset.code;
      guide.open = true;
    }
    form.dispatchEvent(new Event("workspace:focus"));
    paint();
  };
  const move = (step) => {
    const visible = rows.filter((row) => row.checkVisibility());
    const at = visible.indexOf(workspace.focused) + step;
    if (visible[at]) focus(visible[at]);
  };
  const fold = (folded) => {
    const agreed = form.querySelector("[data-agreed]");
    if (!agreed) return;
    agreed.hidden = folded;
    const button = form.querySelector("[data-fold]");
    button.setAttribute("aria-expanded", String(!folded));
    button.querySelector("[data-fold-mark]").textContent = folded ? "▸" : "▾";
    if (folded && agreed.contains(workspace.focused)) focus(rows[0]);
  };

  // Values by key
  const step = (row, by) => {
    const values = radios(row).map((radio) => radio.value);
    const at = values.indexOf(valueOf(row));
    const next = at < 0 ? (by > 0 ? (values.length === 2 ? 1 : 0) : 0) : (at + by + values.length) % values.length;
    setValue(row, values[next]);
    paint();
  };
  const deny = (row) => {
    const absent = radios(row).find((radio) => !isPresent(row, radio.value));
    if (absent) { setValue(row, absent.value); paint(); }
  };
  const setLevel = (row, digit) => {
    if (radios(row).some((radio) => radio.value === digit)) { setValue(row, digit); paint(); } else say(`There is no level ${digit}.`);
  };

  Object.assign(workspace, {
    read, write, touches, textOf, wordsAt, radios, placesField, placesOf, setValue, setPlaces, removePlace, addPlaces,
    valueOf, lacksWords, isOpen, count, takeCell, takeAll, takeWords, paint, focus, move, fold, step, deny, setLevel,
  });
  for (const row of rows) row.opened = { value: valueOf(row), places: placesField(row)?.value, isLeft: isUntouched(row) };
  field("has_places").value = "on";
  rows.filter(placesField).forEach(showSnippets);
  fold(!rows.every((row) => row.closest("[data-agreed]")));
  focus(rows.find((row) => row.querySelector(".answers__problem")) ?? rows[0]);
  count();
})();
