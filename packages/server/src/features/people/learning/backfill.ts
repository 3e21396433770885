import type { App } from "../../../ctx.ts";
import { phoneOfProvider } from "../../../lib/phone.ts";
import { phoneNames } from "../names.ts";
import { findUnnamed, identifyContacts, type NameRow, type UnnamedContact } from "./backfill.store.ts";

/** They are locked for the time of a call. */
const CONTACTS_A_CALL = 500;
/** A round works this long and leaves the rest to the next. */
const ROUND_MS = 1_000;

/**
 * Gives names (`identifier`) to contacts that have none, because a process of an earlier version created them: at an upgrade to all of
 * them, a second's work at a time, and to the new ones while such a process runs. Safe to run in several processes.
 */
export class Backfill {
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  /** One round. */
  async run(): Promise<void> {
    const { clock, db, log } = this.#app;
    const begun = clock.monotonic();
    let named = 0;
    do {
      const contacts = await db.call(findUnnamed, [{ most: CONTACTS_A_CALL }], clock.now());
      if (contacts.length === 0) break;
      const [answer] = await db.call(identifyContacts, contacts.flatMap(namesOf), clock.now());
      named += answer?.named ?? 0;
      // The others are locked by another process.
      if (contacts.length < CONTACTS_A_CALL || answer?.named === 0) break;
    } while (clock.monotonic() - begun < ROUND_MS);
    if (named > 0) log.info({ named }, "contacts of an earlier version got their names");
  }
}

function namesOf({ workspace_id, id, phone, wa_id, user_id, scope, created_at }: UnnamedContact): NameRow[] {
  const base = { workspace_id, contact_id: id, since: created_at.toISOString(), scope: "", key: null, loose: null };
  const forms = new Set([phone?.slice(1) ?? null, phoneOfProvider(wa_id)].filter((digits) => digits !== null));
  const phones = [...forms].flatMap((digits): NameRow[] => {
    const { key, loose } = phoneNames(digits);
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
