import { FailedError, UsageError } from "../errors.ts";

const ANSWER_WITHIN_MS = 10_000;

/** The control of a simulator, which stands in for the provider. */
export class SimulatorControl {
  readonly #url: string;
  readonly #from: string;

  constructor(url: string, from: string) {
    if (!/^https?:\/\//.test(url) || !URL.canParse(url))
      throw new UsageError(`the simulator's address (${from}) must be one with http or https`);
    this.#url = url.replace(/\/+$/, "");
    this.#from = from;
  }

  post(path: string, body: object): Promise<Record<string, unknown>> {
    return this.#call("POST", path, body);
  }

  put(path: string, body: object): Promise<Record<string, unknown>> {
    return this.#call("PUT", path, body);
  }

  async #call(method: string, path: string, body: object): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.#url}/sim/${path}`, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    }).catch((cause: unknown) => this.#fail("the simulator could not be reached", cause));
    const answer = (await response.json().catch(() => null)) as Record<string, unknown> | null; // looked at below
    if (!response.ok) this.#fail(`the simulator refuses it: ${reasonOf(answer) ?? `status ${response.status}`}`);
    if (answer === null) this.#fail("the answer is not the simulator's");
    return answer;
  }

  #fail(text: string, cause?: unknown): never {
    throw new FailedError(`${text} (${this.#url} from ${this.#from})`, cause === undefined ? {} : { cause });
  }
}

/** Its refusals are the provider's envelope, or a sentence. */
function reasonOf(answer: Record<string, unknown> | null): string | null {
  const error = answer?.["error"];
  if (typeof error === "object" && error !== null && "message" in error) return String(error.message);
  return typeof answer?.["message"] === "string" ? answer["message"] : null;
}
