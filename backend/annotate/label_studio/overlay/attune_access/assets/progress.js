// "3 of 12" in Attune's bar, and an end that says so: Label Studio's page knows neither.
(() => {
  "use strict";
  const HEADER = "Attune-Progress";
  const ask = window.fetch.bind(window);

  // The server counts with every answer that may have changed the count; without a next item, this is the end.
  window.fetch = async (address, options) => {
    const answer = await ask(address, options);
    const said = answer.headers.get(HEADER);
    if (said) show(JSON.parse(said));
    if (String(address?.url ?? address).includes("id=next_task")) {
      document.querySelector(".attune-end").hidden = answer.status !== 404;
      if (answer.status === 404) document.querySelector(".attune-end h1").focus();
    }
    return answer;
  };

  function show({ done, skipped, items }) {
    const words = skipped ? `${done} of ${items} done, ${skipped} skipped` : `${done} of ${items} done`;
    document.querySelector(".attune-bar__count").textContent = words;
    const meter = document.querySelector(".attune-bar__meter");
    [meter.max, meter.value] = [Math.max(items, 1), done + skipped];
    document.querySelector(".attune-end__count").textContent = ending(done, skipped, items);
  }

  function ending(done, skipped, items) {
    if (!items) return "There are no items in it yet.";
    const answered = `You have answered ${done} of ${items} ${items === 1 ? "item" : "items"}.`;
    const later = skipped ? ` You skipped ${skipped}: open ${skipped === 1 ? "it" : "them"} again from Attune.` : "";
    return `${answered}${later} Answers can be changed from there as long as the batch is open.`;
  }

  document.addEventListener("DOMContentLoaded", () => show(JSON.parse(document.body.dataset.attuneProgress)));
})();
