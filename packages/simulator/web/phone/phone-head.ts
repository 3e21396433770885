import { call } from "../lib/api.ts";
import { fill, h, setText } from "../lib/dom.ts";
import { dayTime } from "../lib/time.ts";
import { aboutOf } from "./people.ts";
import { addressOf, type State } from "./state.ts";

/** Above the chat: whose phone it is, the business, how long it may write, and whether its marketing is wanted. */
export class PhoneHead {
  readonly element: HTMLElement;
  readonly #state: State;
  readonly #name = h("h2", { tabindex: -1 });
  readonly #about = h("p", { class: "muted small" });
  readonly #shop = h("p", { class: "shop" });
  readonly #shops = h("select", { "aria-label": "Business" });
  readonly #terms = h("p", { class: "muted small" });
  readonly #marketing: HTMLButtonElement;

  constructor(state: State, attempt: (run: () => Promise<unknown>) => void) {
    this.#state = state;
    this.#marketing = h("button", { class: "button", type: "button", onclick: () => attempt(() => this.#toggle()) });
    this.#shops.addEventListener("change", () => {
      location.hash = addressOf(state.person.id, this.#shops.value);
    });
    this.element = h(
      "header",
      { class: "phone-head" },
      h("a", { class: "back", href: "#" }, "People"),
      h("div", { class: "who" }, this.#name, this.#about),
      h("div", { class: "with" }, this.#shop, this.#shops, this.#terms),
      this.#marketing,
    );
  }

  /** Where a reader of screens, or a keyboard, goes on when a phone is opened. */
  focus(): void {
    this.#name.focus();
  }

  show(): void {
    const { person, shop, shops, terms } = this.#state;
    this.element.hidden = person.id === "";
    setText(this.#name, person.name);
    setText(this.#about, aboutOf(person));
    setText(this.#shop, shop === undefined ? "" : `with ${shop.name}, ${shop.phone}`);
    this.#shop.hidden = shops.length > 1;
    this.#shops.hidden = shops.length < 2;
    const options = shops.map(({ id, name, phone }) => ({ value: id, text: `${name}, ${phone}` }));
    const key = JSON.stringify(options);
    if (this.#shops.dataset["options"] !== key) {
      this.#shops.dataset["options"] = key;
      fill(this.#shops, ...options.map(({ value, text }) => h("option", { value }, text)));
    }
    this.#shops.value = shop?.id ?? "";
    const until = terms?.window_until ?? 0;
    const isOpen = until > Date.now();
    setText(
      this.#terms,
      isOpen ? `It may write freely until ${dayTime(until)}` : "It may send templates alone for now",
    );
    this.#terms.hidden = shop === undefined;
    this.#marketing.hidden = shop === undefined;
    setText(this.#marketing, terms?.marketing_stopped === true ? "Resume marketing" : "Stop marketing");
  }

  async #toggle(): Promise<void> {
    const { person, shop, terms } = this.#state;
    const value = terms?.marketing_stopped === true ? "resume" : "stop";
    await call("PUT", "/sim/marketing", { phone_number_id: shop?.id, person: person.id, value });
  }
}
