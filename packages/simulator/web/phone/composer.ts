import { fill, h } from "../lib/dom.ts";

/** What a person writes: a text, or a file with it. */
export type Written = { text: string; file: File | null };

/** The box below a chat. `send` resolves when it is sent; what was written stays until then. */
export class Composer {
  readonly element: HTMLFormElement;
  readonly #text = h("textarea", {
    name: "text",
    rows: 1,
    maxlength: 4096,
    autocomplete: "off",
    "aria-label": "Message",
    placeholder: "Message",
  });
  readonly #file = h("input", { type: "file", hidden: true, "aria-label": "File to send" });
  readonly #chosen = h("p", { class: "quote", hidden: true });
  readonly #button = h("button", { class: "button primary" }, "Send");

  constructor(send: (written: Written) => Promise<void>) {
    const attach = h("button", { class: "button", type: "button", onclick: () => this.#file.click() }, "Attach");
    this.element = h(
      "form",
      { class: "composer", "aria-label": "Write" },
      this.#chosen,
      this.#file,
      h("div", { class: "row" }, attach, this.#text, this.#button),
    );
    this.#file.addEventListener("change", () => this.#showFile());
    this.#text.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.element.requestSubmit();
    });
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#submit(send);
    });
  }

  focus(): void {
    this.#text.focus();
  }

  async #submit(send: (written: Written) => Promise<void>): Promise<void> {
    const text = this.#text.value.trim();
    const file = this.#file.files?.[0] ?? null;
    if ((text === "" && file === null) || this.#button.disabled) return;
    this.#button.disabled = true;
    try {
      await send({ text, file });
      this.element.reset();
      this.#showFile();
    } finally {
      this.#button.disabled = false;
    }
  }

  #showFile(): void {
    const file = this.#file.files?.[0];
    this.#chosen.hidden = file === undefined;
    if (file === undefined) return;
    const remove = () => {
      this.#file.value = "";
      this.#showFile();
      this.focus();
    };
    fill(
      this.#chosen,
      h("span", {}, file.name),
      h("button", { class: "plain", type: "button", onclick: remove, "aria-label": `Remove ${file.name}` }, "Remove"),
    );
    this.focus();
  }
}
