import type { App } from "../../../ctx.ts";
import { phoneOfProvider } from "../../../lib/phone.ts";
import { phoneNames } from "../names.ts";
import { identifyContacts, type NameRow, type WalkedContact, walkContacts } from "./backfill.store.ts";

const CONTACTS_A_CALL = 2_000;
/** A round works this long and leaves the rest to the next. */
const ROUND_MS = 1_000;
/** After the last contact the walk rests: only a process of an earlier version creates contacts without names. */
const REST_MS = 3_600_000;
const START = "00000000-0000-0000-0000-000000000000";

/**
 * Gives names (`identifier`) to contacts that have none, because an earlier version created them, and derives them again when the
 * numbering rules have changed. Walks all contacts of all workspaces, a second's work at a time; safe to run in several processes.
 */
export class Backfill {
  readonly #app: App;
  #place = { workspace_id: START, id: START };
  #restsUntil = Number.NEGATIVE_INFINITY;

  constructor(app: App) {
    this.#app = app;
  }

  /** One round of the walk. */
  async run(): Promise<void> {
    const { clock, log } = this.#app;
    const begun = clock.monotonic();
    if (begun < this.#restsUntil) return;
    let added = 0;
    for (;;) {
      const contacts = await this.#app.db.call(walkContacts, [{ ...this.#place, most: CONTACTS_A_CALL }], clock.now());
      added += await this.#name(contacts.filter(({ lacks }) => lacks));
      const last = contacts.at(-1);
      if (last) this.#place = { workspace_id: last.workspace_id, id: last.id };
      if (contacts.length < CONTACTS_A_CALL) {
        this.#place = { workspace_id: START, id: START };
        this.#restsUntil = clock.monotonic() + REST_MS;
        break;
      }
      if (clock.monotonic() - begun > ROUND_MS) break;
    }
    if (added > 0) log.info({ added }, "contacts of an earlier version got their names");
  }

  async #name(contacts: readonly WalkedContact[]): Promise<number> {
    const rows = contacts.flatMap(namesOf);
    if (rows.length === 0) return 0;
    const [answer] = await this.#app.db.call(identifyContacts, rows, this.#app.clock.now());
    return answer?.added ?? 0;
  }
}

function namesOf({ workspace_id, id, phone, wa_id, user_id, scope, created_at }: WalkedContact): NameRow[] {
  const base = { workspace_id, contact_id: id, since: created_at.toISOString() };
  const forms = new Set([phone?.slice(1) ?? null, phoneOfProvider(wa_id)].filter((digits) => digits !== null));
  const phones = [...forms].flatMap((digits): NameRow[] => {
    const { key, loose } = phoneNames(digits);
    const row = { ...base, kind: "phone", scope: "", loose: loose ?? key ?? digits };
    const own = { ...row, value: digits, source: "upgrade" };
    return key === undefined ? [own] : [own, { ...row, value: key, source: "rule" }];
  });
  const userIds = user_id === null || scope === null ? [] : [user_id];
  return [
    ...phones,
    ...userIds.map(
      (value): NameRow => ({ ...base, kind: "user_id", scope: scope ?? "", value, source: "upgrade", loose: null }),
    ),
  ];
}
