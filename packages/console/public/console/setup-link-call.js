// The calls of the page of a setup link.
const base = new URL("..", import.meta.url);

/** A function that calls with a link's secret. It resolves with the answer, and throws with `status` (500: none came) and `afterMs`. */
export const askAs = (secret) => async (method, path, body) => {
  const headers = { authorization: `Bearer ${secret}` };
  const init = { method, headers, cache: "no-store", referrerPolicy: "no-referrer" };
  if (body !== undefined) {
    headers["content-type"] = "application/json";
    init.body = JSON.stringify(body);
  }
  const answer = await fetch(new URL(`signup/link/${path}`, base), init).catch(() => null);
  if (answer === null) throw Object.assign(new Error(), { status: 500, afterMs: null });
  if (answer.ok) return await answer.json();
  const seconds = Number(answer.headers.get("retry-after")) || null;
  throw Object.assign(new Error(), { status: answer.status, afterMs: seconds === null ? null : seconds * 1_000 });
};
