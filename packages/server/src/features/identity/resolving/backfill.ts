import type { App } from "../../../ctx.ts";
import { phoneOfProvider } from "../../../lib/phone/phone.ts";
import { Pace } from "../../tasks/pace.ts";
import { Turn } from "../../tasks/turn.ts";
import { phoneKeys } from "../reported-identifiers.ts";
import { findUnnamed, identifyContacts, type NameRow, type UnnamedContact } from "./backfill.store.ts";

/** A round works this long and leaves the rest to the next. */
const ROUND_MS = 1_000;

/**
 * Gives names (`identifier`) to contacts that have none, because a process of an earlier version created them: at an upgrade to all of
 * them, a second's work at a time, and to the new ones while such a process runs. Safe to run in several processes.
 */
export class Backfill {
  readonly #app: App;
  readonly #pace: Pace;
  readonly #stop = new AbortController();

  constructor(app: App) {
    this.#app = app;
    this.#pace = new Pace(app);
  }

  /** Ends the round behind the step that it is in. */
  stop(): void {
    this.#stop.abort();
  }

  /** One round. */
  async run(): Promise<void> {
    const { clock, db, log } = this.#app;
    const turn = new Turn(this.#app, { pace: this.#pace, signal: this.#stop.signal, ms: ROUND_MS });
    let named = 0;
    while (!turn.isOver) {
      const most = turn.rows; // they are locked for the time of a call
      const contacts = await db.call(findUnnamed, [{ most }], clock.now());
      if (contacts.length === 0) break;
      const names = contacts.flatMap(namesOf);
      const [answer] = await turn.step(contacts.length, () => db.call(identifyContacts, names, clock.now()));
      named += answer?.named ?? 0;
      // The others are locked by another process.
      if (contacts.length < most || answer?.named === 0) break;
    }
    if (named > 0) log.info({ named }, "contacts of an earlier version got their names");
  }
}

function namesOf({ workspace_id, id, phone, wa_id, user_id, scope, created_at }: UnnamedContact): NameRow[] {
  const base = { workspace_id, contact_id: id, since: created_at.toISOString(), scope: "", key: null, loose: null };
  const forms = new Set([phone?.slice(1) ?? null, phoneOfProvider(wa_id)].filter((digits) => digits !== null));
  const phones = [...forms].flatMap((digits): NameRow[] => {
    const { key, loose } = phoneKeys(digits);
    const row = { ...base, kind: "phone", key: key ?? digits, loose: loose ?? key ?? digits };
    const own = { ...row, value: digits, source: "upgrade" };
    return key === undefined ? [own] : [own, { ...row, value: key, source: "rule" }];
  });
  const userIds = [user_id].filter((value) => value !== null);
  const names = [
    ...phones,
    ...userIds.map((value): NameRow => ({ ...base, kind: "user_id", scope: scope ?? "", value, source: "upgrade" })),
  ];
  return names.length > 0 ? names : [{ ...base, kind: "none", value: "", source: "upgrade" }];
}
