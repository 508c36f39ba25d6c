// Selecting words of the item: by mouse, or with a caret that walks from word to word.
(() => {
  "use strict";
  const workspace = window.workspace;
  if (!workspace) return;
  const { form, texts, say, touches, textOf, wordsAt, placesField, placesOf, addPlaces, removePlace, count, paint } = workspace;
  let caret = null;

  const caretPlace = () => {
    const [low, high] = [caret.at, caret.anchor].sort((one, other) => one - other);
    return [caret.text.wordPlaces[low][0], caret.text.wordPlaces[high][1]];
  };
  const enterCaret = () => {
    const text = textOf(workspace.focused);
    if (!text?.wordPlaces.length) return;
    const first = placesOf(workspace.focused)[0] ?? [0, 1];
    const at = Math.max(0, text.wordPlaces.findIndex((word) => touches(word, first)));
    caret = { text, at, anchor: at };
    // Away from the button, which Enter would press
    workspace.focused.focus({ preventScroll: true });
    showCaret();
  };
  const leaveCaret = () => { caret = null; showCaret(); count(); };
  const showCaret = () => {
    workspace.selected = caret && { text: caret.text, place: caretPlace() };
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
  const holdsSome = (range, node) => {
    const piece = document.createRange();
    piece.selectNodeContents(node);
    return range.compareBoundaryPoints(Range.END_TO_START, piece) < 0 && range.compareBoundaryPoints(Range.START_TO_END, piece) > 0;
  };
  const mouseSelection = () => {
    const selection = document.getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return null;
    const range = selection.getRangeAt(0);
    // Three clicks select beyond the text, to where the next block begins: what counts is what lies inside
    const found = texts.map((text) => ({ text, inside: text.pieces.filter(({ node }) => holdsSome(range, node)) }));
    const parts = found.filter(({ inside }) => inside.length);
    const part = parts.find(({ text }) => text === textOf(workspace.focused)) ?? parts[0];
    return part ? { text: part.text, place: [part.inside[0].place[0], part.inside.at(-1).place[1]] } : null;
  };
  const addSelected = () => {
    const selected = caret ? { text: caret.text, place: caretPlace() } : mouseSelection();
    if (!selected) { say("Select words in the text first, or press c to walk over them."); return; }
    if (!placesField(workspace.focused)) { say("This code takes no snippets."); return; }
    if (selected.text !== textOf(workspace.focused)) { say(`This code is judged by the ${workspace.focused.dataset.part}: select words there.`); return; }
    if (workspace.focused.dataset.kind === "sentences") {
      addPlaces(workspace.focused, selected.text.sentencePlaces.filter((sentence) => touches(sentence, selected.place)));
    } else {
      const words = selected.text.wordPlaces.filter((word) => touches(word, selected.place));
      if (!words.length) { say("There are no words in what you selected."); return; }
      addPlaces(workspace.focused, [[words[0][0], words.at(-1)[1]]]);
    }
    document.getSelection().removeAllRanges();
    if (caret) { caret.anchor = caret.at; showCaret(); } else paint();
  };
  const removeSelected = () => {
    const places = placesOf(workspace.focused);
    const gone = caret ? places.find((place) => touches(place, caretPlace())) : places.at(-1);
    if (gone) { removePlace(workspace.focused, gone); paint(); } else say("There is no snippet to remove.");
  };

  form.addEventListener("workspace:focus", () => { if (caret && caret.text !== textOf(workspace.focused)) leaveCaret(); });
  Object.assign(workspace, { hasCaret: () => Boolean(caret), enterCaret, leaveCaret, walk, addSelected, removeSelected });
})();
