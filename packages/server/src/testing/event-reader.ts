import { get, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";

/** An event as the stream has it. */
export type Received = { id: string | null; event: string; data: { id: string; kind: string; data: object } };

/** A reader of `GET /v1/events/stream` as a browser is one; it does not come again by itself. */
export class EventReader {
  readonly events: Received[] = [];
  comments = 0;
  /** The last `id`. */
  lastId = "";
  retryMs = 0;
  isOver = false;
  readonly #response: IncomingMessage;
  #rest = "";

  private constructor(response: IncomingMessage) {
    this.#response = response;
    response.setEncoding("utf8");
    response.on("data", (text: string) => this.#take(text));
    response.on("close", () => (this.isOver = true));
    response.on("error", () => (this.isOver = true));
  }

  /** Resolves once the answer has begun; rejects with the status of a refusal. `query` without the question mark. */
  static open(
    url: string,
    key: string | null,
    {
      query = "",
      lastId = "",
      headers: more = {},
    }: { query?: string; lastId?: string; headers?: OutgoingHttpHeaders } = {},
  ): Promise<EventReader> {
    const headers = {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(lastId === "" ? {} : { "last-event-id": lastId }),
      ...more,
    };
    return new Promise((resolve, reject) => {
      const request = get(`${url}/v1/events/stream?${query}`, { headers, agent: false }, (response) => {
        if (response.statusCode === 200) return resolve(new EventReader(response));
        response.resume();
        reject(new Error(String(response.statusCode)));
      });
      request.on("error", reject);
    });
  }

  get contentType(): string {
    return this.#response.headers["content-type"] ?? "";
  }

  get ids(): string[] {
    return this.events.map(({ data }) => data.id);
  }

  /** Takes nothing from the connection until `resume`. */
  pause(): void {
    this.#response.pause();
  }
  resume(): void {
    this.#response.resume();
  }
  close(): void {
    this.#response.destroy();
  }

  #take(text: string): void {
    const blocks = (this.#rest + text).split("\n\n");
    this.#rest = blocks.pop() ?? "";
    for (const block of blocks) this.#takeBlock(block);
  }

  #takeBlock(block: string): void {
    const fields = new Map<string, string>();
    for (const line of block.split("\n")) {
      const colon = line.indexOf(":");
      if (colon === 0) this.comments += 1;
      else fields.set(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ""));
    }
    this.retryMs = Number(fields.get("retry") ?? this.retryMs);
    this.lastId = fields.get("id") ?? this.lastId;
    const data = fields.get("data");
    if (data !== undefined)
      this.events.push({ id: fields.get("id") ?? null, event: fields.get("event") ?? "", data: JSON.parse(data) });
  }
}
