import type { App, Ctx } from "../../../ctx.ts";
import { mayUseNumber } from "../../../http/caller.ts";
import { type ById, uuidOfPath } from "../../../http/ids.ts";
import { notFound } from "../../../http/problem.ts";
import type { Answer } from "../../../http/route.ts";
import { formatId } from "../../../lib/ids.ts";
import { TtlCache } from "../../../lib/ttl-cache.ts";
import { isOfAccount } from "../../../provider/error-table.ts";
import { headroom } from "../../limits/headroom.ts";
import { selectSecretAccountRow } from "../store.ts";
import { readAccess } from "../token.ts";
import { selectSeenRow } from "./health.store.ts";
import { type Asked, checksOf } from "./health-checks.ts";
import type { PhoneNumberHealth } from "./health-schema.ts";
import { selectNumberRow } from "./number.store.ts";
import type { Senders } from "./senders.ts";

/** A page that stays open asks again and again: each asking is three of the calls that an account has in an hour. */
const KEPT_MS = 60_000;
const MOST_KEPT = 2_000;
/** A person waits for it. */
const PROVIDER_WITHIN_MS = 8_000;
/** Reports of a message come within seconds. */
const REPORTED_WITHIN_MS = 10 * 60_000;

/** How numbers are, asked of the provider at most once a minute for each account and state of it. One for the process. */
export class NumberHealth {
  readonly #app: App;
  readonly #senders: Senders;
  readonly #asked: TtlCache<string, Asked | null>;

  constructor(app: App, senders: Senders) {
    this.#app = app;
    this.#senders = senders;
    this.#asked = new TtlCache({
      load: (key) => this.#ask(key),
      // What went wrong is asked again: a person is mending it.
      keep: (asked) => asked?.account.ok === true && asked.numbers.ok && asked.apps.ok,
      most: MOST_KEPT,
      maxAgeMs: KEPT_MS,
      monotonic: () => app.clock.monotonic(),
    });
  }

  /** Every check of a number. What the provider refuses or does not answer is a check that says so. */
  async of(ctx: Ctx, { params }: ById): Promise<Answer<PhoneNumberHealth>> {
    const { workspaceId } = ctx;
    const id = uuidOfPath("num", params.id);
    const found = await ctx.db.read(workspaceId, async (sql) => {
      const number = await selectNumberRow(sql, workspaceId, id);
      const account = number && (await selectSecretAccountRow(sql, workspaceId, number.business_account_id));
      if (number === null || !account || !mayUseNumber(ctx.actor, number.id)) throw notFound();
      const until = new Date(ctx.clock.now() - REPORTED_WITHIN_MS);
      const seen = await selectSeenRow(sql, workspaceId, id, until);
      const room = (await headroom(sql, workspaceId, [account.id], ctx.clock.now())).get(account.id);
      return { number, account, seen, headroom: room };
    });
    const { account } = found;
    // Of another token or state the provider is asked again.
    const asked = await this.#asked.get(`${workspaceId} ${account.id} ${account.updated_at.getTime()}`);
    const facts = { ...found, asked, appId: ctx.config.PROVIDER_APP_ID, now: ctx.clock.now() };
    const body = { phone_number_id: formatId("num", id), checks: checksOf(facts) };
    return { body, resource: { type: "phone_number", id: body.phone_number_id }, unaudited: true };
  }

  /** Null: the account has no token to ask with. */
  async #ask(key: string): Promise<Asked | null> {
    const [workspaceId = "", businessAccountId = ""] = key.split(" ");
    const { clock, provider } = this.#app;
    const access = await readAccess(this.#app, workspaceId, businessAccountId);
    if (access === null) return null;
    const askedAt = clock.now();
    const late = new AbortController();
    const cancel = clock.after(PROVIDER_WITHIN_MS, () => late.abort());
    const asking = { ...access, signal: late.signal };
    const answers = Promise.all([
      provider.getAccount(asking),
      provider.listPhoneNumbers(asking),
      provider.listSubscribedApps(asking),
    ]);
    const [account, numbers, apps] = await answers.finally(cancel);
    const of = { workspaceId, businessAccountId, accountChangedAt: 0 };
    if (!account.ok && isOfAccount(account.error.class)) this.#senders.reportAccountTrouble(of, account.error);
    return { askedAt, account, numbers, apps };
  }
}
