// The page that the provider's dialog returns to. It needs no session: a cookie that is strict may not come along. It passes the answer to
// the page that opened the dialog, which is in another window, or was here before.
const base = new URL("..", document.currentScript.src);
const given = new URLSearchParams(location.search);
const state = given.get("state") ?? "";
const answer = { state, code: given.get("code"), error: given.get("error") };
// A code is worth an account: it does not stay in the address, nor in what Back leads to.
history.replaceState(null, "", location.pathname);

/** The pages that were here before, by what their dialogs' names in this tab begin with: the console's, and that of a setup link. */
const PAGES = { "waypost-signup": "numbers/connect", "waypost-setup": "signup" };
const opener = Object.keys(PAGES).find((name) => state !== "" && sessionStorage.getItem(`${name}-state`) === state);
if (opener !== undefined) {
  sessionStorage.setItem(`${opener}-answer`, JSON.stringify(answer));
  location.replace(new URL(PAGES[opener], base));
} else if (state !== "") {
  const channel = new BroadcastChannel(`waypost-signup-${state}`);
  channel.addEventListener("message", ({ data }) => {
    if (data === "taken") close();
  });
  channel.postMessage(answer);
}
if (opener === undefined) translate().catch(() => undefined); // the window was closed meanwhile

/** The page is in English as it comes; a person reads it where no page is found that waits for its answer. */
async function translate() {
  const { LANGUAGES, languageHere } = await import("./setup-link-texts.js");
  if (document.readyState === "loading") await new Promise((done) => addEventListener("DOMContentLoaded", done));
  const tag = languageHere();
  const { direction, words } = LANGUAGES[tag];
  Object.assign(document.documentElement, { lang: tag, dir: direction });
  document.querySelector("h1").textContent = words.returned.title;
  document.querySelector("p").textContent = words.returned.help;
}
