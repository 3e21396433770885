/** What stands in an element: elements and texts; nothing for what is absent. */
export type Child = Node | string | null | undefined | false;

/** Properties of an element, by their names in the DOM, and any attribute by its own; `on…` are listeners. */
type Properties = Readonly<Record<string, string | number | boolean | ((event: never) => void) | null | undefined>>;

/** An element. Texts stay texts: nothing here reads markup. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value as (event: Event) => void);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...present(children));
  return element;
}

/** Replaces what is in an element. */
export const fill = (element: Element, ...children: readonly Child[]): void =>
  element.replaceChildren(...present(children));

const present = (children: readonly Child[]): (Node | string)[] =>
  children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false);

/** An element of a list, and how it takes a newer value. */
export type Drawn<Item> = { element: Element; update(item: Item): void };

/** Keeps a list's elements while their items are there, so that neither focus nor what was typed is lost by a change. */
export class KeyedList<Item> {
  readonly #list: Element;
  readonly #drawn = new Map<string, Drawn<Item>>();
  readonly #keyOf: (item: Item) => string;
  readonly #draw: (item: Item) => Drawn<Item>;

  constructor(list: Element, keyOf: (item: Item) => string, draw: (item: Item) => Drawn<Item>) {
    this.#list = list;
    this.#keyOf = keyOf;
    this.#draw = draw;
  }

  show(items: readonly Item[]): void {
    const keys = new Set(items.map(this.#keyOf));
    for (const [key, { element }] of this.#drawn) {
      if (keys.has(key)) continue;
      element.remove();
      this.#drawn.delete(key);
    }
    let next = this.#list.firstElementChild;
    for (const item of items) {
      const key = this.#keyOf(item);
      const known = this.#drawn.get(key);
      const drawn = known ?? this.#draw(item);
      this.#drawn.set(key, drawn);
      drawn.update(item);
      if (drawn.element === next) next = next.nextElementSibling;
      else this.#list.insertBefore(drawn.element, next);
    }
  }
}

/** Sets a text only where it is another one, so that a reader of screens says only what changed. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
