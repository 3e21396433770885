import { h } from "./dom.ts";

const PAGES = [
  { href: "/sim", text: "Phone" },
  { href: "/sim/provider", text: "Provider" },
] as const;

/** Puts a page together: its bar, with the state of the stream, and its content. Returns how a failure is shown. */
export function frame(
  title: string,
  ...content: readonly HTMLElement[]
): { live: HTMLElement; fail(error: unknown): void } {
  const live = h("span", { class: "live", role: "status" }, "Connecting…");
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  const links = PAGES.map(({ href, text }) =>
    h("a", { href, ...(location.pathname.replace(/\/$/, "") === href ? { "aria-current": "page" } : {}) }, text),
  );
  document
    .querySelector("#app")
    ?.append(
      h("header", { class: "bar" }, h("h1", {}, title), h("nav", { "aria-label": "Pages" }, ...links), live),
      problem,
      h("main", {}, ...content),
    );
  let timer = 0;
  return {
    live,
    fail(error) {
      problem.textContent = error instanceof Error ? error.message : String(error);
      problem.hidden = false;
      clearTimeout(timer);
      timer = window.setTimeout(() => (problem.hidden = true), SHOWN_MS);
    },
  };
}

/** Long enough to be read twice. */
const SHOWN_MS = 10_000;
