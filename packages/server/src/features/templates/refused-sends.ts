import { LRUCache } from "lru-cache";
import type { App } from "../../ctx.ts";
import { QuietLog } from "../../lib/quiet-log.ts";
import type { Templates } from "./cache.ts";
import { checkParameters } from "./parameters.ts";
import { requestTemplateRefetch } from "./refetch.ts";

/** A send of a template that fitted the stored definition when it was accepted, and that the provider has refused. */
export type RefusedSend = {
  workspaceId: string;
  businessAccountId: string;
  name: string;
  language: string;
  components: unknown;
};

/**
 * How long the refusals that follow one are kept, to be looked at together. It doubles while fetching explains nothing, also
 * when they are rare, because the account's management calls are limited (as few as 200 an hour).
 */
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 10 * 60_000;
/** Templates that wait at once, each with the parameters of one send, some KiB. One that is pushed out costs a fetch more. */
const MOST_WAITING = 1_000;

/** Of a template that was refused: the refusal that came last during the wait, and whether a wait that follows is longer. */
type Waiting = { latest: RefusedSend | null; grows: boolean; cancel: () => void };

/**
 * Sends that the provider refuses because of their template: it was changed there, and no callback has said so. The template is
 * fetched again, once for all messages that fail together, so that the next request is checked by what the provider has.
 *
 * A template is not waiting, or waits. Its first refusal is looked at and it waits; later ones are kept, and the last of them is
 * looked at when the wait ends. After a fetch it waits once more, for refusals that are further apart. The stored definition
 * explains a refusal that does not fit it any more: nothing is fetched.
 */
export class RefusedSends {
  readonly #app: App;
  readonly #templates: Templates;
  readonly #quiet: QuietLog;
  readonly #waiting = new LRUCache<string, Waiting>({
    max: MOST_WAITING,
    dispose: ({ cancel }) => cancel(),
    noDisposeOnSet: true,
  });
  readonly #looking = new Set<Promise<void>>();

  constructor(app: App, templates: Templates) {
    this.#app = app;
    this.#templates = templates;
    this.#quiet = new QuietLog(app.log, app.clock);
  }

  /** Returns at once and never throws. */
  report(refused: RefusedSend): void {
    const key = [refused.workspaceId, refused.businessAccountId, refused.name, refused.language].join("\0");
    const waiting = this.#waiting.get(key);
    if (waiting) waiting.latest = refused;
    else this.#look(key, refused, FIRST_WAIT_MS);
  }

  #look(key: string, refused: RefusedSend, waitMs: number): void {
    const waiting = this.#wait(key, waitMs, { grows: false, isLast: false });
    const look = this.#refetchUnlessKnown(refused)
      .then((isFetched) => {
        waiting.grows = isFetched;
      })
      .finally(() => this.#looking.delete(look));
    this.#looking.add(look);
  }

  #wait(key: string, waitMs: number, { grows, isLast }: { grows: boolean; isLast: boolean }): Waiting {
    const end = (): void => {
      const nextMs = waiting.grows ? Math.min(LONGEST_WAIT_MS, waitMs * 2) : FIRST_WAIT_MS;
      if (waiting.latest !== null) this.#look(key, waiting.latest, nextMs);
      else if (waiting.grows && !isLast) this.#wait(key, nextMs, { grows: true, isLast: true });
      else this.#waiting.delete(key);
    };
    const waiting: Waiting = { latest: null, grows, cancel: this.#app.clock.after(waitMs, end) };
    this.#waiting.set(key, waiting);
    return waiting;
  }

  /** True when the template is fetched again. */
  async #refetchUnlessKnown(refused: RefusedSend): Promise<boolean> {
    const { workspaceId, businessAccountId, name, language, components } = refused;
    try {
      const found = await this.#templates.read(workspaceId, businessAccountId, name, language);
      if (!found || found.status !== "approved" || checkParameters(found.definition, components).length > 0)
        return false;
      const { providerTemplateId } = found;
      await requestTemplateRefetch(this.#app, workspaceId, {
        businessAccountId,
        providerTemplateId,
        now: this.#app.clock.now(),
      });
      this.#app.log.info(
        { workspace_id: workspaceId, template_id: found.id },
        "the provider refused a send that fits its template: the template is fetched again",
      );
      return true;
    } catch (error) {
      this.#quiet.warn(
        "refetch",
        { err: error, workspace_id: workspaceId },
        "a refused template could not be fetched again; its next refusal tries it",
      );
      return false;
    }
  }

  /** Resolves when no refusal is being looked at; those that wait are forgotten. */
  async stop(): Promise<void> {
    this.#waiting.clear();
    await Promise.all(this.#looking);
  }
}
