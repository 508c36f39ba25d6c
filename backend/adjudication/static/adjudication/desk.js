// The desk of adjudication: which code is in focus, what is painted under the text, and everything by keyboard.
(() => {
  "use strict";
  const form = document.querySelector("[data-desk]");
  if (!form) return;
  const rows = [...form.querySelectorAll("tr[data-code]")];
  if (!rows.length) return;
  const texts = [...form.querySelectorAll(".desk__text")];
  const field = (name) => form.elements.namedItem(name);
  const status = form.querySelector("[data-status]");
  const say = (words) => { status.textContent = words; };
  const opened = Date.now();
  let hidden = 0;
  let left = document.hidden ? opened : 0;
  let focused = null;
  let all = false;
  let caret = null;
  let prefix = "";

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
  const setPlaces = (row, places) => {
    if (!placesField(row)) return;
    placesField(row).value = write(places.sort((one, other) => one[0] - other[0]));
    showSnippets(row);
    count();
  };
  const setValue = (row, value) => {
    for (const radio of radios(row)) radio.checked = radio.value === value;
    if (value !== "" && !isPresent(row, value)) setPlaces(row, []);
    row.classList.remove("is-missing");
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
  // A code is open without an answer, and without the words that its answer asks for
  const lacksWords = (row) => row.dataset.wordsWanted === "required" && isPresent(row, valueOf(row)) && !placesOf(row).length;
  const isOpen = (row) => valueOf(row) === "" || lacksWords(row);
  const count = () => {
    const open = rows.filter(isOpen);
    for (const row of rows) row.classList.toggle("lacks-words", lacksWords(row));
    say(open.length ? `${open.length} code${open.length > 1 ? "s" : ""} still open` : "All codes are decided");
  };

  // Taking somebody's answer
  const cellOf = (row, column) => row.querySelector(`[data-column="${column}"]`);
  const takeCell = (row, column) => {
    const cell = cellOf(row, column);
    if (!cell || cell.dataset.value === "") return;
    setValue(row, cell.dataset.value);
    setPlaces(row, read(cell.dataset.spans));
  };
  const takeAll = (button) => {
    const column = button.dataset.take;
    for (const row of rows) takeCell(row, column);
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
    const shown = all ? rows : rows.filter((row) => row === focused);
    for (const text of texts) {
      const own = shown.filter((row) => row.dataset.part === text.dataset.part);
      const lanes = [1, 2, 3, 4, 5, 6].map((lane) =>
        own.flatMap((row) => [...row.querySelectorAll(`[data-lane="${lane}"]`)].flatMap((cell) => read(cell.dataset.spans))));
      const final = own.flatMap(placesOf);
      const selected = caret?.text === text ? [caretPlace()] : [];
      text.classList.toggle("is-judged", focused?.dataset.part === text.dataset.part);
      for (const { node, place } of text.pieces) {
        lanes.forEach((lane, at) => node.classList.toggle(`m${at + 1}`, within(place, lane)));
        node.classList.toggle("is-final", within(place, final));
        node.classList.toggle("is-caret", within(place, selected));
      }
    }
  };
  const focus = (row) => {
    if (row.closest("[data-agreed]")?.hidden) fold(false);
    focused?.removeAttribute("aria-current");
    focused = row;
    row.setAttribute("aria-current", "true");
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
    for (const guide of form.querySelectorAll("[data-guideline]")) {
      guide.hidden = guide.dataset.guideline !== row.dataset.code;
      guide.open = true;
    }
    if (caret && caret.text !== textOf(row)) leaveCaret();
    paint();
  };
  const move = (step) => {
    const visible = rows.filter((row) => row.checkVisibility());
    const at = visible.indexOf(focused) + step;
    if (visible[at]) focus(visible[at]);
  };
  const fold = (folded) => {
    const agreed = form.querySelector("[data-agreed]");
    if (!agreed) return;
    agreed.hidden = folded;
    const button = form.querySelector("[data-fold]");
    button.setAttribute("aria-expanded", String(!folded));
    button.querySelector("[data-fold-mark]").textContent = folded ? "▸" : "▾";
    if (folded && agreed.contains(focused)) focus(rows[0]);
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

  // Selecting words: by mouse, or with a caret that walks from word to word
  const caretPlace = () => {
    const [low, high] = [caret.at, caret.anchor].sort((one, other) => one - other);
    return [caret.text.wordPlaces[low][0], caret.text.wordPlaces[high][1]];
  };
  const enterCaret = () => {
    const text = textOf(focused);
    if (!text?.wordPlaces.length) return;
    const first = placesOf(focused)[0] ?? [0, 1];
    const at = Math.max(0, text.wordPlaces.findIndex((word) => touches(word, first)));
    caret = { text, at, anchor: at };
    showCaret();
  };
  const leaveCaret = () => { caret = null; showCaret(); };
  const showCaret = () => {
    form.querySelector("[data-caret]").setAttribute("aria-pressed", String(Boolean(caret)));
    paint();
    if (!caret) return;
    nodeOf(caret.text, caret.at).scrollIntoView({ block: "nearest" });
    say(`Selected: ${wordsAt(caret.text, caretPlace())}`);
  };
  const nodeOf = (text, at) => text.pieces.find((piece) => piece.place[0] === text.wordPlaces[at][0]).node;
  const lineStep = (by) => {
    const from = nodeOf(caret.text, caret.at).getBoundingClientRect();
    let best = caret.at;
    let row = null;
    for (let at = caret.at + by; at >= 0 && at < caret.text.wordPlaces.length; at += by) {
      const here = nodeOf(caret.text, at).getBoundingClientRect();
      if (Math.abs(here.top - from.top) < from.height / 2) continue;
      row ??= here.top;
      if (Math.abs(here.top - row) > from.height / 2) break;
      const gap = Math.abs(here.left - from.left);
      if (best === caret.at || gap < Math.abs(nodeOf(caret.text, best).getBoundingClientRect().left - from.left)) best = at;
    }
    return best;
  };
  const walk = (key, extend) => {
    const last = caret.text.wordPlaces.length - 1;
    const to = { ArrowLeft: caret.at - 1, ArrowRight: caret.at + 1, Home: 0, End: last }[key] ?? lineStep(key === "ArrowUp" ? -1 : 1);
    caret.at = Math.min(last, Math.max(0, to));
    if (!extend) caret.anchor = caret.at;
    showCaret();
  };
  const mouseSelection = () => {
    const selection = document.getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return null;
    const range = selection.getRangeAt(0);
    const text = texts.find((one) => one.contains(range.commonAncestorContainer));
    if (!text) return null;
    const inside = text.pieces.filter(({ node }) => {
      const piece = document.createRange();
      piece.selectNodeContents(node);
      return range.compareBoundaryPoints(Range.END_TO_START, piece) < 0 && range.compareBoundaryPoints(Range.START_TO_END, piece) > 0;
    });
    return inside.length ? { text, place: [inside[0].place[0], inside.at(-1).place[1]] } : null;
  };
  const addSelected = () => {
    const selected = caret ? { text: caret.text, place: caretPlace() } : mouseSelection();
    if (!selected) { say("Select words in the text first, or press c to walk over them."); return; }
    if (!placesField(focused)) { say("This code takes no snippets."); return; }
    if (selected.text !== textOf(focused)) { say(`This code is judged by the ${focused.dataset.part}: select words there.`); return; }
    if (focused.dataset.kind === "sentences") {
      addPlaces(focused, selected.text.sentencePlaces.filter((sentence) => touches(sentence, selected.place)));
    } else {
      const words = selected.text.wordPlaces.filter((word) => touches(word, selected.place));
      if (!words.length) return;
      addPlaces(focused, [[words[0][0], words.at(-1)[1]]]);
    }
    document.getSelection().removeAllRanges();
    if (caret) { caret.anchor = caret.at; showCaret(); } else paint();
  };
  const removeSelected = () => {
    const places = placesOf(focused);
    const gone = caret ? places.find((place) => touches(place, caretPlace())) : places.at(-1);
    if (gone) { removePlace(focused, gone); paint(); } else say("There is no snippet to remove.");
  };

  // Saving
  const save = (event) => {
    const open = rows.filter(isOpen);
    open.forEach((row) => row.classList.add("is-missing"));
    if (open.length) {
      event.preventDefault();
      focus(open[0]);
      say(lacksWords(open[0]) ? "This code needs words: select some and press Enter." : "This code has no answer yet.");
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
  window.addEventListener("pageshow", () => { delete form.dataset.sent; });

  // Keys that are no buttons; capturing, so that the second key of a pair is not taken for a shortcut
  const typing = (target) => target.matches?.("textarea, select, input:not([type=radio], [type=checkbox])");
  const arrows = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"]);
  const pairs = { v: setLevel, t: takeWords };
  const handled = (event) => {
    const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
    if (prefix) {
      const pair = pairs[prefix];
      prefix = "";
      if (/^[0-9]$/.test(event.key)) { pair(focused, event.key); return true; }
    }
    if (event.key in pairs) { prefix = event.key; return true; }
    if (event.shiftKey && digit) { takeCell(focused, digit); paint(); return true; }
    if (event.key === "M") { takeCell(focused, "m"); paint(); return true; }
    if (caret && arrows.has(event.key)) { walk(event.key, event.shiftKey); return true; }
    if (event.target.matches?.("input[type=radio]") && arrows.has(event.key)) return false;
    switch (event.key) {
      case "ArrowDown": move(1); return true;
      case "ArrowUp": move(-1); return true;
      case " ": if (event.target.matches?.("button, a, summary, input")) return false; step(focused, 1); return true;
      case "+": step(focused, 1); return true;
      case "-": step(focused, -1); return true;
      case "x": deny(focused); return true;
      case "e": addSelected(); return true;
      case "Enter": if (event.target.matches?.("button, a, summary, input")) return false; addSelected(); return true;
      case "Backspace": case "Delete": removeSelected(); return true;
      default: return false;
    }
  };
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || document.querySelector("dialog[open]")) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit(form.querySelector("[data-save]"));
      return;
    }
    if (event.key === "Escape") { if (typing(event.target)) focus(focused); else if (caret) leaveCaret(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    if (handled(event)) { event.preventDefault(); event.stopPropagation(); }
  }, true);

  form.addEventListener("click", (event) => {
    const on = (selector, act) => { const node = event.target.closest(selector); if (node) act(node); };
    on("[data-take]", takeAll);
    on("[data-move]", (node) => move(Number(node.dataset.move)));
    on("[data-fold]", () => fold(!form.querySelector("[data-agreed]").hidden));
    on("[data-caret]", () => (caret ? leaveCaret() : enterCaret()));
    on("[data-all]", (node) => { all = !all; node.setAttribute("aria-pressed", String(all)); paint(); });
    on("[data-column]", (node) => { takeCell(node.closest("tr"), node.dataset.column); });
    on("tr[data-code]", (row) => { if (!event.target.matches("input")) focus(row); });
  });
  form.addEventListener("change", (event) => {
    if (!event.target.matches("input[type=radio]")) return;
    const row = event.target.closest("tr");
    setValue(row, event.target.value);
    if (row !== focused) { focused?.removeAttribute("aria-current"); focus(row); } else paint();
  });

  field("has_places").value = "on";
  rows.filter(placesField).forEach(showSnippets);
  fold(!rows.every((row) => row.closest("[data-agreed]")));
  focus(rows.find((row) => row.querySelector(".answers__problem")) ?? rows[0]);
  count();
})();
