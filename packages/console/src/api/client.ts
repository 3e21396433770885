import { ApiError, ConnectionError, Waypost, WaypostOperator } from "@waypost/sdk";

/** Path under which the gateway has the console, with a slash at its end. */
export const BASE = document.querySelector<HTMLMetaElement>('meta[name="waypost-base"]')?.content ?? "/";

/** Address of a path of the gateway: `v1/events/stream`. */
export const addressOf = (path: string): string => new URL(path, new URL(BASE, location.origin)).href;

let seen: { id: string; onOther: () => void } | null = null;

/** From now on `onOther` is called once when an answer is of another session: what this tab shows is another workspace's. */
export function watchSession(id: string, onOther: () => void): void {
  seen = { id, onOther };
}

/** This tab changes the session itself, and begins again by itself. Returns what watches as before, for a change that failed. */
export function unwatchSession(): () => void {
  const before = seen;
  seen = null;
  return () => {
    seen = before;
  };
}

let usedAt = 0;

/** When this tab last had an answer under the session, in milliseconds. */
export const lastUse = (): number => usedAt;

const watchedFetch: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init);
  usedAt = Date.now();
  const id = answer.headers.get("waypost-session");
  if (seen !== null && id !== null && id !== seen.id) {
    const { onOther } = seen;
    seen = null;
    onOther();
  }
  return answer;
};

// Repeats are the business of the query cache.
const connection = { session: true, baseUrl: addressOf(""), maxRetries: 0, fetch: watchedFetch } as const;

/** The API of the session's workspace. */
export const waypost = new Waypost(connection);
/** The operator's API. */
export const operator = new WaypostOperator(connection);

/** Calls a path that is no part of the API document. Throws `ApiError` for a refusal, and `ConnectionError` where no answer comes. */
export async function call(method: "GET" | "POST" | "DELETE", path: string, body?: object): Promise<unknown> {
  const answer = await fetch(addressOf(path), {
    method,
    headers: { "waypost-console": "1", ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new ConnectionError("no answer came", { requestId: null, attempts: 1, cause });
  });
  if (answer.status === 204) return null;
  if (!answer.ok) throw await refusalOf(answer);
  return await answer.json();
}

/** What the API says in an answer that is a refusal. */
export async function refusalOf(answer: Response): Promise<ApiError> {
  const problem = await answer.json();
  const retryAfterSeconds = Number(answer.headers.get("retry-after")) || null;
  return new ApiError({ problem, retryAfterSeconds, requestId: problem.request_id ?? null, attempts: 1 });
}
