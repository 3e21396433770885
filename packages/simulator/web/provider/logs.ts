import { call } from "../lib/api.ts";
import { type Drawn, h, KeyedList, setText } from "../lib/dom.ts";
import { exactTime } from "../lib/time.ts";
import { badge, button, jsonOf, showState } from "./parts.ts";
import type { Attempt, Callback, Part, Sent } from "./shapes.ts";

/** Of the newest, how many are shown. */
const SHOWN = 100;

/** Callbacks as they were posted, each try; what is kept can be posted again. */
export const callbacks = (attempt: Attempt): Part =>
  log<Callback>("Callbacks", "/sim/callbacks", "No callback was posted yet.", (entry) => drawCallback(entry, attempt));

/** Requests to the messages endpoint, refused ones too. */
export const sent = (): Part => log<Sent>("Sent", "/sim/sent", "No message was sent yet.", drawSent);

function log<Entry extends { cursor: number; at: number }>(
  title: string,
  path: string,
  nothing: string,
  draw: (entry: Entry) => Drawn<Entry>,
): Part {
  const list = h("ol", { class: "cards" });
  const empty = h("p", { class: "muted", hidden: true }, nothing);
  // A reset begins with the same cursors again.
  const keyed = new KeyedList<Entry>(list, ({ cursor, at }) => `${cursor} ${at}`, draw);
  return {
    element: h("section", { "aria-label": title }, h("h2", {}, title), empty, list),
    async read() {
      const { data } = await call<{ data: Entry[] }>("GET", `${path}?last=${SHOWN}`);
      empty.hidden = data.length > 0;
      keyed.show(data.toReversed());
    },
  };
}

function drawCallback(entry: Callback, attempt: Attempt): Drawn<Callback> {
  const { cursor, at, url, attempt: tries, updates, outcome, http_status } = entry;
  const state = badge();
  showState(state, outcome);
  const repeat = button("Repeat", () => attempt(() => call("POST", `/sim/callbacks/${cursor}/repeat`)));
  const answer = http_status === null ? "no answer" : `answered ${http_status}`;
  const json = jsonOf("Body", () => pretty(entry.body ?? ""));
  const element = h(
    "li",
    { class: "card" },
    h("div", { class: "head" }, h("time", {}, exactTime(at)), state, h("span", { class: "grow" }, answer), repeat),
    h("p", { class: "muted small" }, `${count(updates, "change")}, try ${tries}, to ${url ?? "nowhere"}`),
    json,
  );
  const update = (newer: Callback) => {
    // Bodies are kept of the newest alone.
    const isKept = newer.body !== null && newer.url !== null;
    repeat.hidden = !isKept;
    json.hidden = newer.body === null;
  };
  return { element, update };
}

function drawSent(entry: Sent): Drawn<Sent> {
  const state = badge();
  const about = h("p", { class: "muted small" });
  const element = h(
    "li",
    { class: "card" },
    h(
      "div",
      { class: "head" },
      h("time", {}, exactTime(entry.at)),
      h("span", { class: "grow" }, `${entry.template ?? entry.type ?? "unknown"} to ${entry.to ?? "no recipient"}`),
      state,
    ),
    about,
    jsonOf("Request", () => JSON.stringify(entry.request, null, 2)),
  );
  const update = ({ accepted, code, http_status, behaviour, status }: Sent) => {
    showState(state, accepted ? (status ?? "accepted") : "refused");
    const parts = [
      http_status === null ? "not answered" : `answered ${http_status}`,
      code === null ? "" : `error ${code}`,
      behaviour === null ? "" : `fault ${behaviour}`,
    ];
    setText(about, parts.filter((part) => part !== "").join(", "));
  };
  return { element, update };
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
