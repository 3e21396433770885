/** Calls the control API of the simulator. Throws an `Error` with its sentence. */
export async function call<Answer = unknown>(method: string, path: string, body?: unknown): Promise<Answer> {
  const json =
    body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  return await answerOf<Answer>(await fetch(path, { method, ...json }).catch(unreachable));
}

/** Puts a file in its place, so that a person can send it. Returns its id. */
export async function upload(phoneNumberId: string, file: File): Promise<string> {
  const query = new URLSearchParams({ phone_number_id: phoneNumberId, mime_type: typeOf(file) });
  const reply = await fetch(`/sim/files?${query.toString()}`, {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: file,
  }).catch(unreachable);
  return (await answerOf<{ id: string }>(reply)).id;
}

/** A browser that does not know the type of a file says nothing of it. */
export const typeOf = (file: File): string => (file.type === "" ? "application/octet-stream" : file.type);

async function answerOf<Answer>(reply: Response): Promise<Answer> {
  const answer: unknown = await reply.json().catch(() => null);
  if (!reply.ok) {
    const { error } = (answer ?? {}) as { error?: { message?: string } };
    throw new Error(error?.message ?? `The simulator answered ${reply.status}.`);
  }
  return answer as Answer; // the simulator's own, by its reference
}

const unreachable = (): never => {
  throw new Error("The simulator does not answer. Is it running?");
};
