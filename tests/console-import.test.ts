import { afterAll, beforeAll, expect, it } from "vitest";
import { mappingOf, targetOf } from "../packages/console/src/pages/import/columns.ts";
import { headOf } from "../packages/console/src/pages/import/csv-head.ts";
import { faultsOfRow } from "../packages/console/src/pages/import/row-faults.ts";
import { type Gateway, startGateway, type Workspace } from "../packages/server/src/testing/gateway.ts";
import { PATIENCE } from "../packages/server/src/testing/patience.ts";

// The console shows what is wrong with a file before it is sent: exactly the rows that the gateway then refuses.
let gateway: Gateway;
let mine: Workspace;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  mine = await gateway.workspace(["contacts:read", "contacts:write"]);
});
afterAll(() => gateway?.stop());

/** The refused rows of a file, by line and column: as the console expects it, and as the gateway has it. */
async function refusedOf(file: string, chosen: readonly string[]) {
  const head = headOf(file, true);
  if (head === null) throw new Error("the file has no columns");
  const nameOf = (column: number | null) => (column === null ? null : head.columns[column]?.name || `#${column + 1}`);
  const targets = head.columns.map(({ index }) => targetOf(chosen[index] ?? ""));
  const expected = head.rows.flatMap(({ cells, line }) => {
    const faults = faultsOfRow(cells, targets);
    return faults.length === 0 ? [] : [[line, faults.map(({ column }) => nameOf(column))] as const];
  });
  const { status, body } = await mine.call(
    "POST",
    `/v1/contacts/imports?mapping=${encodeURIComponent(mappingOf(head.columns, chosen))}`,
    { body: file, headers: { "content-type": "text/csv" } },
  );
  expect([status, body.detail]).toEqual([202, undefined]);
  const path = `/v1/contacts/imports/${body.id}`;
  const read = async () => (await mine.call("GET", path)).body;
  await expect.poll(async () => (await read()).status, PATIENCE).toBe("completed");
  const { data } = (await mine.call("GET", `${path}/errors?limit=100`)).body;
  const { progress } = await read();
  const refused = (data as { line: number; column: string | null }[]).map(
    ({ line, column }) => [line, column] as const,
  );
  return { expected, refused, rows: [head.rows.length, progress.rows] };
}

const COLUMNS = ["phone", "id", "name", "email", "locale", "tags", "marketing_consent", "attributes", "orders", "vip"];
const CHOSEN = [...COLUMNS.slice(0, 8), "attributes.orders:number", "attributes.vip:boolean"];
const ID = "con_01jd0000000000000000000000";
let people = 0;
const number = (): string => `+1555204${String((people += 1)).padStart(4, "0")}`;
/** A row of the file, whose other cells are empty. */
const row = (cells: Readonly<Record<string, string>>): string => {
  const all = { phone: number(), ...cells } as Record<string, string>;
  return COLUMNS.map((name) => `"${(all[name] ?? "").replaceAll('"', '""')}"`).join(",");
};
const long = (length: number): string => "x".repeat(length);

it("of every field the same cells are refused, and the others taken", async () => {
  const numbers = [
    "555 2000021",
    "0049 30 1234567",
    "+1+5552000021",
    "+0301234567",
    "+4930",
    "tel:+1 (555) 204-9001",
    "\u200b",
    "+1555204900\u0661",
    "+1 555/204 9002",
    "+1 555 204 9003 x5",
    `+1${" ".repeat(70)}5552049004`,
    "'+15552049005",
    "+1\t5",
  ];
  const others: readonly Readonly<Record<string, string>>[] = [
    { phone: "" },
    { phone: "", id: "con_1" },
    { phone: "555", id: ID.replace("con", "msg") },
    { name: long(256) },
    { name: long(257) },
    { name: "😀".repeat(256) },
    { name: "a\u0007" },
    { email: "ana@example.com" },
    { email: "ana" },
    { email: "a b@example.com" },
    { email: `${long(250)}@a.b` },
    { locale: "pt_BR" },
    { locale: "Portuguese (Brazil)" },
    { tags: "a;b|c; ;" },
    { tags: long(65) },
    { tags: '["a;b","c"]' },
    { tags: "[1]" },
    { tags: Array.from({ length: 101 }, (_, n) => `t${n}`).join(";") },
    { marketing_consent: "opted_in" },
    { marketing_consent: "unknown" },
    { marketing_consent: "yes" },
    { attributes: '{"city":"Recife","orders":3}' },
    { attributes: '{"a b":1}' },
    { attributes: '{"city":["Recife"]}' },
    { attributes: "[1]" },
    { attributes: "city" },
    { attributes: JSON.stringify({ city: long(1_025) }) },
    { orders: "12.5" },
    { orders: "1,000" },
    { vip: "TRUE" },
    { vip: "yes" },
  ];
  const rowsOfBoth = [...numbers.map((phone) => ({ phone })), ...others].map(row);
  const file = [COLUMNS.join(","), ...rowsOfBoth, `${number()},`].join("\n");
  const { expected, refused, rows } = await refusedOf(file, CHOSEN);
  expect(rows[0]).toBe(rows[1]);
  // Of a row the gateway names the first fault; of one that is empty where its number should be there is one.
  expect(refused.map(([line]) => line)).toEqual(expected.map(([line]) => line));
  expect(refused.map(([, column]) => column)).toEqual(expected.map(([, [column]]) => column));
  expect(refused.length).toBeGreaterThan(25);
});

it("a number that its country does not have is found by the gateway alone", async () => {
  const { expected, refused } = await refusedOf("phone\n+1234567890123\n+999123456789\n", ["phone"]);
  expect([expected, refused.length]).toEqual([[], 2]);
});

it.each([
  [
    "sep=;\r\nphone;name;;name\r\nA;Ana;;\r\n;;;\r\nB;Ana;;Bob\r\nC;Ana\r\nD;Ben;;;y\r\n",
    ["phone", "name", "", "name"],
  ],
  ["phone,name,,,\nA,Ana\nB,Ana,,,,\nC,Ana,,,x\n", ["phone", "name", "", "", ""]],
  ['\n,\n"phone","name"\r\nA,"An""a"\r\n"B","one\ntwo"\r\nC,"x" y\r\n\r\nno,D\r\n', ["phone", "name"]],
  ["phone\tname\rA\tAna\rno\tBen\r", ["phone", "name"]],
])("rows and their lines are those of the gateway: %j", async (written, chosen) => {
  const file = written.replaceAll(/\b[A-D]\b(?=[^\w]|$)/g, () => number());
  const { expected, refused, rows } = await refusedOf(file, chosen);
  expect(rows[0]).toBe(rows[1]);
  expect(refused.map(([line]) => line)).toEqual(expected.map(([line]) => line));
});
