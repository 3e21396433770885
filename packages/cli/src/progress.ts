const WIDTH = 24;
/** On a terminal a bar is drawn again this often; elsewhere a line is written. */
const DRAW_EVERY_MS = 100;
const LINE_EVERY_MS = 5_000;

/** How far something is, on standard error: a bar on a terminal, now and then a line elsewhere. Standard output is for results. */
export class Progress {
  readonly #name: string;
  readonly #total: number | null;
  /** One that can draw a line again. */
  readonly #isTerminal = process.stderr.isTTY && process.env["TERM"] !== "dumb";
  #done = 0;
  #text = "";
  #drawnAt = 0;

  /** `total` is null where it is not known. */
  constructor(name: string, total: number | null) {
    this.#name = name;
    this.#total = total;
  }

  add(bytes: number): void {
    this.set(this.#done + bytes);
  }

  set(bytes: number, text = ""): void {
    this.#done = bytes;
    this.#text = text;
    const now = Date.now();
    if (this.#drawnAt === 0) this.#drawnAt = this.#isTerminal ? 0 : now; // what ends soon needs no line
    if (now - this.#drawnAt < (this.#isTerminal ? DRAW_EVERY_MS : LINE_EVERY_MS)) return;
    this.#drawnAt = now;
    if (this.#isTerminal) process.stderr.write(`\r\x1b[2K${this.#line()}`);
    else console.error(this.#line());
  }

  end(): void {
    if (this.#isTerminal && this.#drawnAt > 0) process.stderr.write(`\r\x1b[2K${this.#line()}\n`);
  }

  #line(): string {
    const text = this.#text === "" ? "" : `  ${this.#text}`;
    if (this.#total === null) return `${this.#name} ${mib(this.#done)}${text}`;
    const part = this.#total === 0 ? 1 : Math.min(1, this.#done / this.#total);
    const percent = `${String(Math.floor(part * 100)).padStart(3)} %`;
    if (!this.#isTerminal) return `${this.#name} ${percent}${text}`;
    const full = Math.round(part * WIDTH);
    return `${this.#name} ${"█".repeat(full)}${"░".repeat(WIDTH - full)} ${percent}${text}`;
  }
}

const mib = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;
