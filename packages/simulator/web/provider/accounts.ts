import { call } from "../lib/api.ts";
import { h, KeyedList, setText } from "../lib/dom.ts";
import { badge, button, select, showChoice, showState } from "./parts.ts";
import type { Account, Attempt, Part, PhoneNumber } from "./shapes.ts";

const LIMITS = ["TIER_250", "TIER_2K", "TIER_10K", "TIER_100K", "TIER_UNLIMITED"];
const QUALITIES = ["GREEN", "YELLOW", "RED", "UNKNOWN"];
/** As subcodes of 190: the token has ended, and the customer has removed the app. */
const EXPIRED = 463;
const REMOVED = 458;
/** As codes of messages: the account is locked for a violation. */
const LOCKED = 131031;

/** Accounts with their tokens, limits and numbers, and what the provider does to them; what it would report, it reports. */
export function accounts(attempt: Attempt): Part {
  const list = h("ul", { class: "cards" });
  const empty = h("p", { class: "muted", hidden: true }, "There is no account. Add one by POST /sim/accounts.");
  const keyed = new KeyedList<Account>(
    list,
    ({ waba_id }) => waba_id,
    (account) => draw(account, attempt),
  );
  return {
    element: h("section", { "aria-label": "Accounts" }, h("h2", {}, "Accounts and numbers"), empty, list),
    async read() {
      const { data } = await call<{ data: Account[] }>("GET", "/sim/accounts");
      empty.hidden = data.length > 0;
      keyed.show(data);
    },
  };
}

function draw({ waba_id }: Account, attempt: Attempt) {
  const path = `/sim/accounts/${encodeURIComponent(waba_id)}`;
  let shown: Account | null = null;
  const name = h("h3", {});
  const token = badge();
  const lock = badge();
  const setToken = (valid: boolean, subcode?: number) =>
    attempt(() => call("PUT", `${path}/token`, { valid, ...(subcode === undefined ? {} : { subcode }) }));
  const kill = button("", () => setToken(shown?.token_death !== null, EXPIRED));
  const revoke = button(
    "Revoke the app",
    () => attempt(() => event({ event: "PARTNER_APP_UNINSTALLED", token_subcode: REMOVED })),
    "danger",
  );
  const event = (more: object) => call("POST", "/sim/account-events", { waba_id, ...more });
  const ban = button("", () => attempt(() => setLock(shown?.lock === null)), "danger");
  const setLock = async (isLocked: boolean) => {
    await call("PUT", `${path}/lock`, { code: isLocked ? LOCKED : null });
    if (isLocked) await event({ event: "DISABLED_UPDATE" });
    else await event({ event: "DISABLED_UPDATE", value: { ban_info: { waba_ban_state: "REINSTATE" } } });
  };
  const limit = select("Messaging limit", LIMITS, (value) =>
    attempt(() => call("PUT", `${path}/messaging-limit`, { limit: value })),
  );
  const numbers = h("ul", { class: "numbers" });
  const keyed = new KeyedList<PhoneNumber>(
    numbers,
    ({ id }) => id,
    (number) => drawNumber(number, event, attempt),
  );
  const element = h(
    "li",
    { class: "card" },
    h("div", { class: "head" }, name, h("code", {}, waba_id), token, lock),
    h("div", { class: "actions" }, h("label", { class: "inline" }, "Limit", limit), kill, revoke, ban),
    numbers,
  );
  const update = (account: Account) => {
    shown = account;
    const { token_death, lock: code } = account;
    setText(name, account.name);
    showState(
      token,
      token_death === null ? "CONNECTED" : "failed",
      token_death === null ? "token valid" : `token dead, 190 ${token_death}`,
    );
    lock.hidden = code === null;
    showState(lock, "BANNED", `sends refused, ${code ?? ""}`);
    setText(kill, token_death === null ? "Let the token expire" : "Make the token valid");
    setText(ban, code === null ? "Ban" : "Lift the ban");
    showChoice(limit, account.messaging_limit);
    keyed.show(account.phone_numbers);
  };
  return { element, update };
}

function drawNumber(first: PhoneNumber, event: (more: object) => Promise<unknown>, attempt: Attempt) {
  const { id } = first;
  const state = badge();
  const name = h("span", { class: "grow" });
  let shown = first;
  const set = (change: object) => call("PUT", `/sim/numbers/${encodeURIComponent(id)}`, change);
  const quality = select(`Quality of ${first.display_phone_number}`, QUALITIES, (rating) =>
    attempt(async () => {
      await set({ quality_rating: rating });
      // The provider reports these two alone.
      if (rating === "RED" || rating === "GREEN")
        await event({
          field: "phone_number_quality_update",
          event: rating === "RED" ? "FLAGGED" : "UNFLAGGED",
          phone_number_id: id,
        });
    }),
  );
  const disconnect = button("", () =>
    attempt(() => set({ status: shown.status === "CONNECTED" ? "DISCONNECTED" : "CONNECTED" })),
  );
  const element = h("li", {}, name, state, h("label", { class: "inline" }, "Quality", quality), disconnect);
  const update = (number: PhoneNumber) => {
    shown = number;
    setText(name, `${number.verified_name}, ${number.display_phone_number}`);
    showState(state, number.status);
    showChoice(quality, number.quality_rating);
    setText(disconnect, number.status === "CONNECTED" ? "Disconnect" : "Connect");
  };
  return { element, update };
}
