import { randomBytes } from "node:crypto";

/** Sessions and handles that are kept; the oldest are forgotten. */
const MOST_SESSIONS = 1_000;

/** A resumable upload: how much of it has arrived, and the digest of that. */
export type Session = { id: string; length: number; type: string; received: number; handle: string | null };

/** Uploads to the app; of the bytes only their number is kept. */
export class Uploads {
  readonly #sessions = new Map<string, Session>();
  readonly #handles = new Set<string>();

  begin(length: number, type: string): Session {
    // As at the provider: the id has a query of its own, which is part of it.
    const id = `upload:${randomBytes(16).toString("base64").replaceAll("/", "_")}?sig=${randomBytes(9).toString("base64url")}`;
    const session = { id, length, type, received: 0, handle: null };
    this.#sessions.set(id, session);
    const oldest = this.#sessions.keys().next().value;
    if (this.#sessions.size > MOST_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
    return session;
  }

  find(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  finish(session: Session, digest: string): string {
    session.handle = `4::${Buffer.from(session.type).toString("base64url")}:${digest}`;
    this.#handles.add(session.handle);
    return session.handle;
  }

  isHandle(handle: string): boolean {
    return this.#handles.has(handle);
  }

  clear(): void {
    this.#sessions.clear();
    this.#handles.clear();
  }
}
