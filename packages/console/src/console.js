// @ts-check
// What the page cannot know when it is written: the gateway's address, version and state. Without scripts it still reads well.

/** Often enough for a person who waits, rare enough for a page that was left open. */
const ASK_EVERY_MS = 10_000;

/** @param {string} id */
const at = (id) => /** @type {HTMLElement} */ (document.getElementById(id)); // of this page's own HTML

/** Where this page is, without a slash at the end: the gateway may sit below a path of a proxy. */
const base = new URL(".", location.href).href.replace(/\/$/, "");

for (const place of document.querySelectorAll(".origin")) place.textContent = base;
for (const button of document.querySelectorAll("button.copy")) offerCopy(/** @type {HTMLButtonElement} */ (button));
void showFacts();
void showState();
setInterval(() => {
  if (document.visibilityState === "visible") void showState();
}, ASK_EVERY_MS);

/** Clipboards exist on https and on this machine only. @param {HTMLButtonElement} button */
function offerCopy(button) {
  if (!navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    const text = at(button.dataset.copies ?? "").textContent ?? "";
    navigator.clipboard.writeText(text).then(
      () => answer("Copied"),
      () => answer("Not allowed"),
    );
  });
  /** @param {string} word */
  function answer(word) {
    button.textContent = word;
    setTimeout(() => {
      button.textContent = "Copy";
    }, 2_000);
  }
}

async function showFacts() {
  const { version, simulator_url: simulator } = await (await fetch("console/facts.json")).json();
  at("version").textContent = version;
  // The simulator listens on the gateway's machine only: a link is of use to a browser there.
  if (simulator === null || !["localhost", "127.0.0.1", "[::1]"].includes(location.hostname)) return;
  const link = /** @type {HTMLAnchorElement} */ (at("simulator"));
  link.href = simulator;
  link.hidden = false;
}

async function showState() {
  try {
    const answer = await fetch("readyz", { cache: "no-store" });
    const { checks } = await answer.json();
    say(answer.ok ? "Ready: it takes requests." : "Not ready: it takes no requests now.", answer.ok);
    at("checks").replaceChildren(...checks.map(checkItem));
  } catch {
    say("No answer: the gateway does not run, or cannot be reached.", false);
    at("checks").replaceChildren();
  }
}

/**
 * Written only when it changes, so that a screen reader says it once.
 * @param {string} text
 * @param {boolean} ready
 */
function say(text, ready) {
  const state = at("state");
  if (state.textContent === text) return;
  state.textContent = text;
  state.dataset.ready = ready ? "yes" : "no";
}

/** @param {{ name: string, ok: boolean, detail: string | null }} check */
function checkItem({ name, ok, detail }) {
  const item = document.createElement("li");
  item.textContent = `${ok ? "✓" : "✗"} ${name}${detail === null ? "" : `: ${detail}`}`;
  return item;
}
