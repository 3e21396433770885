import { bubbleOf } from "../../../console/src/parts/phone/bubble.ts";
import { call } from "../lib/api.ts";
import { fill, h, KeyedList, setText } from "../lib/dom.ts";
import { clockTime } from "../lib/time.ts";
import { addressOf, type Message, type Person, type State, written } from "./state.ts";

type Scenario = { recipient: string; name: string; behaviour: { kind: string; code?: number } };

/** The list of people, any other number, and the numbers that behave in one way. */
export class People {
  readonly element: HTMLElement;
  readonly #list: KeyedList<Person>;
  readonly #state: State;

  constructor(state: State, fail: (error: unknown) => void) {
    this.#state = state;
    const list = h("ul", { class: "people" });
    this.#list = new KeyedList(
      list,
      ({ id }) => id,
      (person) => this.#draw(person),
    );
    this.element = h("nav", { class: "side", "aria-label": "People" }, list, otherNumber(), sandbox(fail));
  }

  show(): void {
    this.#list.show(this.#state.people);
  }

  #draw({ id }: Person) {
    const name = h("span", { class: "name" });
    const time = h("span", { class: "small muted" });
    const last = h("span", { class: "last small muted" });
    const unseen = h("span", { class: "unseen", hidden: true });
    const link = h("a", { href: addressOf(id) }, name, time, last, unseen);
    const element = h("li", {}, link);
    const update = (person: Person) => {
      const newest = this.#state.ofPerson(id).at(-1);
      const count = this.#state.unseen(id);
      setText(name, person.name);
      setText(time, newest === undefined ? "" : clockTime(newest.at));
      setText(last, newest === undefined ? aboutOf(person) : beginning(newest));
      setText(unseen, `${count} new`);
      unseen.hidden = count === 0;
      if (this.#state.person.id === id) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    };
    return { element, update };
  }
}

/** How a person is known: number or user id, name at the provider, and whether there is an account. */
export function aboutOf({ id, username, on_whatsapp }: Person): string {
  return [written(id), username === null ? "" : `@${username}`, on_whatsapp ? "" : "not on WhatsApp"]
    .filter((part) => part !== "")
    .join(", ");
}

/** What a message says, or what it is. */
function beginning({ by, type, message, components }: Message): string {
  const bubble = bubbleOf({ ...message, type }, components, "shown");
  const text = bubble?.reaction ?? bubble?.body.map((part) => part.text).join("") ?? "";
  return `${by === "person" ? "You: " : ""}${text === "" ? type : text}`.slice(0, 80);
}

function otherNumber(): HTMLElement {
  const input = h("input", {
    name: "number",
    type: "tel",
    required: true,
    pattern: "\\+?[0-9 \\-]{5,20}",
    title: "A phone number with its country, such as +1 555 123 0009",
    placeholder: "+1 555 123 0009",
    autocomplete: "off",
  });
  const form = h(
    "form",
    { class: "other" },
    h("label", { class: "field" }, "Another number", input),
    h("button", { class: "button" }, "Open"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.hash = addressOf(input.value.replace(/\D/g, ""));
    form.reset();
  });
  return form;
}

function sandbox(fail: (error: unknown) => void): HTMLElement {
  const list = h("dl", { class: "sandbox" });
  const details = h(
    "details",
    { id: "sandbox" },
    h("summary", {}, "Numbers that behave in one way"),
    h("p", { class: "muted small" }, "Send to one of them, and see what the gateway makes of it."),
    list,
  );
  const read = async () => {
    const { data } = await call<{ data: Scenario[] }>("GET", "/sim/scenarios");
    fill(
      list,
      ...data.flatMap(({ recipient, name, behaviour: { code } }) => [
        h("dt", {}, h("a", { href: addressOf(recipient) }, `+${recipient}`)),
        h("dd", {}, name, code !== undefined && h("span", { class: "muted small" }, ` ${code}`)),
      ]),
    );
  };
  details.addEventListener("toggle", () => {
    if (details.open && list.childElementCount === 0) read().catch(fail);
  });
  return details;
}
