import { afterAll, beforeAll, expect, it } from "vitest";
import { type Gateway, startGateway, type Workspace } from "../../../testing/gateway.ts";
import { Backfill } from "./backfill.ts";

let gateway: Gateway;
let mine: Workspace;
beforeAll(async () => {
  gateway = await startGateway({}, { roles: ["api"] }); // no round runs by itself
  mine = await gateway.workspace();
});
afterAll(() => gateway.stop());

const CONTACTS = 130;
const leftOf = async (): Promise<number> => (await mine.rows("select 1 from contact where not is_named")).length;

it("contacts of an earlier version get their names in short steps, by several processes, and a stop ends between two", async () => {
  // As such a process writes them.
  const text = `insert into contact (workspace_id, id, phone, created_at, updated_at)
    select $1, gen_random_uuid(), '+1555' || (7000000 + n), now(), now() from generate_series(1, $2) n`;
  await gateway.app.db.transaction(mine.uuid, (sql) => sql.run(text, [mine.uuid, CONTACTS]));
  const stopped = new Backfill(gateway.app);
  const round = stopped.run();
  stopped.stop();
  await round;
  expect(await leftOf()).toBe(CONTACTS - 50);
  await stopped.run();
  expect(await leftOf()).toBe(CONTACTS - 50);
  await expect
    .poll(async () => {
      await Promise.all([new Backfill(gateway.app).run(), new Backfill(gateway.app).run()]);
      return await leftOf();
    })
    .toBe(0);
  const names = await mine.rows("select distinct contact_id from identifier where kind = 'phone'");
  expect(names).toHaveLength(CONTACTS);
});
