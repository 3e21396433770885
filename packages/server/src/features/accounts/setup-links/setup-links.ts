import type { Actor, App } from "../../../ctx.ts";
import type { Caller } from "../../../http/caller.ts";
import type { SetupLinkKeys } from "../../../http/credentials.ts";
import { suspended } from "../../../http/problem.ts";
import { readPlacedSecret } from "../../../lib/placed-secret.ts";
import { selectSetupLinkWorkspace } from "./setup-link.store.ts";

/** Finds who holds a setup link. What became of it is read by each call itself, so that its end holds at once. */
export class SetupLinks implements SetupLinkKeys {
  readonly #app: Pick<App, "db">;

  constructor(app: Pick<App, "db">) {
    this.#app = app;
  }

  async find(secret: string): Promise<Caller | null> {
    const place = readPlacedSecret(secret);
    if (place === null) return null;
    const { workspaceId, id } = place;
    const workspace = await this.#app.db.read(workspaceId, (sql) => selectSetupLinkWorkspace(sql, place));
    if (workspace === null) return null;
    const actor: Actor = { type: "setup_link", id, name: null, scopes: [], phoneNumberIds: null };
    return { workspaceId, actor, ...(workspace.status === "active" ? {} : { refusal: suspended() }) };
  }
}
