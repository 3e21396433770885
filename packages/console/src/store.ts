import { useSyncExternalStore } from "react";

/** A value outside of the pages that redraws what uses it. */
export class Store<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get = (): T => this.#value;

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

export const useStore = <T>(store: Store<T>): T => useSyncExternalStore(store.subscribe, store.get);

/** What a person has chosen in this browser; without storage it lasts as long as the page. */
export class Choice<T extends string> extends Store<T> {
  readonly #name: string;

  constructor(name: string, values: readonly [T, ...T[]]) {
    super(values.find((value) => value === stored(name)) ?? values[0]);
    this.#name = name;
  }

  choose(value: T): void {
    this.set(value);
    try {
      localStorage.setItem(this.#name, value);
    } catch {
      // Switched off: the choice ends with the page.
    }
  }
}

function stored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
