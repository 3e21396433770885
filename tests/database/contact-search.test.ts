import type { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { emptyTables } from "./bloat.ts";
import { type Explainer, startExplaining } from "./explain.ts";
import { openPastTheWalls, type PastTheWalls } from "./past-the-walls.ts";
import type { Tenant } from "./rows.ts";

// Searches in one workspace among 1,000 whose contacts have the same tags, attributes and names.

const WORKSPACES = 1_000;
const CONTACTS_EACH = 10;
/** Of the workspace that is searched; one in a hundred is a vip. */
const CONTACTS = 5_000;
const LIMIT = 10;

let opened: PastTheWalls | null;
let admin: Client | null = null;
let tenant: Tenant;
beforeAll(async () => {
  opened = await openPastTheWalls();
  if (opened !== null) ({ admin, tenant } = opened);
}, 120_000);
afterAll(() => opened?.drop());

it.for([
  { what: "never analysed", before: "select", after: "select" },
  { what: "analysed while empty", before: "vacuum analyze", after: "select" },
  { what: "analysed when full", before: "select", after: "analyze" },
])(
  "searches read the contacts that the index has for them, and none of other workspaces, on tables $what",
  { timeout: 120_000 },
  async ({ before, after }, context) => {
    if (!admin) return context.skip("filling tables past the walls needs a superuser");
    const explainer = await startExplaining(admin);
    if (!explainer) return context.skip("the server has no auto_explain");
    await emptyTables(admin);
    await admin.query(before);
    await fill(admin);
    await admin.query(after);
    const vip = [{ do: "tag", at: 0 }];
    const name = [{ do: "text", at: 0 }];

    // Two contacts have tag and attribute: the index knows them, and only they are read.
    const both = [...vip, { do: "attribute", at: 1 }, { do: "all", of: 2 }];
    const rare = await search(explainer, { filter: both, narrow: both, sample: both, values: ["vip", { city: "c7" }] });
    expect(rare).toMatchObject({ found: 2, way: "index", more: false, index: true });
    // The sample of contacts of all ages is most of it.
    expect(rare.pages).toBeLessThan(150);

    const text = await search(explainer, { filter: name, narrow: name, sample: name, values: ["person 4321"] });
    expect(text).toMatchObject({ found: 1, way: "index", more: false, index: true });
    expect(text.pages).toBeLessThan(250);

    // One in ten: a page is full before the index is asked.
    const many = [{ do: "attribute", at: 0 }];
    const dense = { filter: many, narrow: many, sample: many, values: [{ parity: 1 }], way: null, walk_first: 500 };
    const walked = await search(explainer, dense);
    expect(walked).toMatchObject({ found: LIMIT, way: null, more: true, index: false });
    expect(walked.pages).toBeLessThan(60);

    // More than it may give: the list is walked, and goes on where it ended.
    const over = await search(explainer, { ...dense, way: null, walk_first: 20, most_candidates: 50 });
    expect(over).toMatchObject({ found: LIMIT, way: "walk", more: true });
    const deep = await search(explainer, { ...dense, way: "walk", before: over.at });
    expect(deep).toMatchObject({ found: LIMIT, way: "walk", index: false });
    expect(deep.pages).toBeLessThan(60);
  },
);

type Found = { ids: string[]; at: string | null; more: boolean; way: string | null };

async function search(explainer: Explainer, row: object) {
  const whole = { before: null, lowest: null, contact_id: null, way: "index", most: LIMIT, walk_first: 0 };
  const asked = { ...whole, most_candidates: 1_000, budget_ms: 10_000, workspace_id: tenant.workspace, ...row };
  const { answers, faults } = await explainer.explain("find_contacts", [asked]);
  const [answer] = answers as Found[];
  // By a bitmap, which a search by the index is made of; by nothing else, and no other table from end to end.
  const bitmap = faults.filter((fault) => fault.startsWith("collects rows of contact by a bitmap"));
  expect(faults.filter((fault) => !bitmap.includes(fault))).toEqual([]);
  return {
    found: answer?.ids.length,
    at: answer?.at,
    more: answer?.more,
    way: answer?.way,
    index: bitmap.length > 0,
    pages: explainer.pages(),
  };
}

async function fill(client: Client): Promise<void> {
  const insert = (workspace: string, from: string): Promise<unknown> =>
    client.query(
      `insert into contact (workspace_id, id, name, attributes, tags, created_at, updated_at, is_named)
       select ${workspace}, new_uuid(now() - i * interval '1 second'), 'Person ' || i,
         jsonb_build_object('city', 'c' || i / 100 % 25, 'parity', i % 10), case i % 100 when 0 then '{vip}' else '{}' end::text[], now(), now(), true
       from ${from}`,
    );
  await insert(`'${tenant.workspace}'`, `generate_series(1, ${CONTACTS}) i`);
  await insert(
    "md5('workspace' || w)::uuid",
    `generate_series(1, ${WORKSPACES}) w, generate_series(100, ${100 * CONTACTS_EACH}, 100) i`,
  );
}
