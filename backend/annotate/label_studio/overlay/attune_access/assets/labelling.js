// What Label Studio's page does not do by itself: boxes and highlights are kept together, an answer that Attune would
// refuse is not submitted, what a model suggested can be told from what a person said, and a cut network is said.
(() => {
  "use strict";

  // A request that never gets an answer leaves Label Studio's page waiting for good; a refusal it tells, and keeps what
  // was said, so that it can be submitted again. What only reads is asked for again by itself: without the next item,
  // the page would say that there is none.
  const LONGEST_WAIT = 60_000;
  const PAUSES = [1_000, 2_000, 4_000];
  const NOT_SAVED = "The server cannot be reached. Your answer is still on this page: submit it again in a moment.";
  const NOT_READ = "The server cannot be reached. Load this page again in a moment: what was saved is kept.";
  const ask = window.fetch.bind(window);

  function refusal(detail) {
    const headers = { "Content-Type": "application/json" };
    return new Response(JSON.stringify({ detail }), { status: 503, headers });
  }

  window.fetch = async (address, options = {}) => {
    const method = (options.method ?? address.method ?? "GET").toUpperCase();
    const reads = method === "GET" || String(address).includes("id=next_task");
    const pauses = reads ? [...PAUSES] : [];
    for (;;) {
      const patience = AbortSignal.timeout(LONGEST_WAIT);
      const signal = options.signal ? AbortSignal.any([options.signal, patience]) : patience;
      try {
        return await ask(address, { ...options, signal });
      } catch (problem) {
        if (options.signal?.aborted) throw problem;
        if (patience.aborted || !pauses.length) return refusal(reads ? NOT_READ : NOT_SAVED);
      }
      await new Promise((resume) => setTimeout(resume, pauses.shift()));
    }
  };

  const SUGGESTED = "data-attune-suggested";
  // By annotation: which labels were in view, and which suggested boxes nobody has touched yet.
  const seen = new WeakMap();

  function* tagsOf(node) {
    yield node;
    for (const child of node.children ?? []) yield* tagsOf(child);
  }

  // Each label for words, with the block that shows it once its box is ticked or its level chosen.
  function evidenceOf(annotation) {
    const found = [];
    for (const view of tagsOf(annotation.root)) {
      const classes = (view.classname ?? "").split(" ");
      if (classes.includes("attune-span")) {
        found.push({
          labels: view.children[0],
          isRequired: classes.includes("attune-span-required"),
          isAskedFor: view.isVisible !== false,
        });
      }
    }
    return found;
  }

  function highlightsOf(annotation, labels) {
    return [...annotation.regions].filter((region) =>
      [...region.results].some((result) => result.from_name === labels),
    );
  }

  function problemOf(annotation) {
    for (const { labels, isRequired, isAskedFor } of evidenceOf(annotation)) {
      const name = `“${labels.children[0].value}”`;
      const isMarked = highlightsOf(annotation, labels).length > 0;
      if (isAskedFor && isRequired && !isMarked) {
        return `Please highlight the words for ${name}, or take the answer back.`;
      }
      if (!isAskedFor && isMarked) {
        return `There are highlighted words for ${name}, but it is not chosen. Choose it, or remove the highlight.`;
      }
    }
    return null;
  }

  // Label Studio asks every tag whether it may be submitted; the outermost one has nothing to say by itself.
  function checkBeforeSubmit(annotation) {
    const validate = () => {
      const problem = problemOf(annotation);
      if (problem) window.Htx.showModal(problem, "warning");
      return problem === null;
    };
    Object.defineProperty(annotation.root, "validate", { value: validate, configurable: true });
  }

  function removeLeftOver(annotation, state) {
    for (const { labels, isAskedFor } of evidenceOf(annotation)) {
      const wasAskedFor = state.askedFor.get(labels.name);
      state.askedFor.set(labels.name, isAskedFor);
      if (wasAskedFor && !isAskedFor) {
        for (const region of highlightsOf(annotation, labels)) annotation.deleteRegion(region);
      }
    }
  }

  function chosenIn(annotation, control) {
    const values = annotation.names.get(control)?.selectedValues?.() ?? [];
    return values.map((value) => String(Array.isArray(value) ? value.at(-1) : value));
  }

  // The boxes and levels of the suggestion that this answer began from, as pairs of control and value.
  function suggestedChoices(annotation) {
    const predictions = [...window.Htx.annotationStore.predictions];
    const own = predictions.find((each) => Number(each.pk) === annotation.parent_prediction);
    const rows = (own ?? predictions[0])?._initialAnnotationObj ?? [];
    return [...rows]
      .filter((row) => row.type === "choices")
      .flatMap((row) => row.value.choices.map((value) => ({ control: row.from_name, value: String(value) })));
  }

  function boxOf(annotation, { control, value }) {
    const [, kind, subject] = /^(ticks|level)_(.+?)(?:_\d+)?$/.exec(control) ?? [];
    if (!kind) return null;
    if (kind === "ticks") return document.querySelector(`.attune-code-${CSS.escape(value)} .lsf-choice`);
    const levels = [...(annotation.names.get(control)?.children ?? [])];
    const place = levels.findIndex((level) => String(level.alias) === value);
    return document.querySelectorAll(`.attune-code-${CSS.escape(subject)} .lsf-choice`)[place] ?? null;
  }

  function markSuggested(annotation, state) {
    // Touched once is touched: it does not become a suggestion again by being put back.
    state.untouched = state.untouched.filter((each) => chosenIn(annotation, each.control).includes(each.value));
    const boxes = state.untouched.map((each) => boxOf(annotation, each));
    const words = [...annotation.regions]
      .filter((region) => region.origin === "prediction")
      .flatMap((region) => [...(region._spans ?? [])]);
    const wanted = new Set(annotation.exists ? [] : [...boxes, ...words].filter(Boolean));
    for (const element of document.querySelectorAll(`[${SUGGESTED}]`)) {
      if (!wanted.has(element)) element.removeAttribute(SUGGESTED);
    }
    for (const element of wanted) {
      if (!element.hasAttribute(SUGGESTED)) element.setAttribute(SUGGESTED, "");
    }
  }

  function visit() {
    const annotation = window.Htx?.annotationStore?.selected;
    if (annotation?.type !== "annotation" || !annotation.root) return;
    if (!seen.has(annotation)) {
      seen.set(annotation, { askedFor: new Map(), untouched: suggestedChoices(annotation) });
    }
    if (!Object.hasOwn(annotation.root, "validate")) checkBeforeSubmit(annotation);
    const state = seen.get(annotation);
    if (!annotation.isReadOnly?.()) removeLeftOver(annotation, state);
    markSuggested(annotation, state);
  }

  // Whatever somebody does, by mouse or by key, changes the page.
  let isAsked = false;
  new MutationObserver(() => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      visit();
    });
  }).observe(document.documentElement, { subtree: true, childList: true, attributes: true });
})();
