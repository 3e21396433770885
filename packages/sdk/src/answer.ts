/** What stood beside a body. */
export type AnswerInfo = {
  status: number;
  requestId: string | null;
  /** For `ifMatch`, where the resource has one. */
  etag: string | null;
  /** The gateway gave the first answer to this idempotency key again. */
  replayed: boolean;
};

const infos = new WeakMap<object, AnswerInfo>();

/** Status, request id and ETag of the answer that this resource or page came in; undefined for anything else. */
export const answerOf = (resource: object): AnswerInfo | undefined => infos.get(resource);

export function rememberAnswer(resource: unknown, response: Response): void {
  if (typeof resource !== "object" || resource === null) return;
  infos.set(resource, {
    status: response.status,
    requestId: response.headers.get("x-request-id"),
    etag: response.headers.get("etag"),
    replayed: response.headers.get("idempotent-replayed") === "true",
  });
}

/** Gives what was made out of a body that body's answer. */
export function shareAnswer(resource: object, from: object): void {
  const info = infos.get(from);
  if (info) infos.set(resource, info);
}
