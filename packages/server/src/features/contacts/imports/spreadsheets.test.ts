import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gateway, startGateway, type Workspace } from "../../../testing/gateway.ts";

// What spreadsheets write, and people who have never seen the rules of a CSV file.
let gateway: Gateway;
let mine: Workspace;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  mine = await gateway.workspace(["contacts:read", "contacts:write"]);
});
afterAll(() => gateway.stop());

let people = 0;
const number = (): string => `+1555203${String((people += 1)).padStart(4, "0")}`;

const upload = (body: string | Uint8Array, mapping?: object) =>
  mine.call(
    "POST",
    `/v1/contacts/imports${mapping === undefined ? "" : `?mapping=${encodeURIComponent(JSON.stringify(mapping))}`}`,
    { body, headers: { "content-type": "text/csv" } },
  );

/** Progress and errors of an import that has ended. */
async function imported(body: string | Uint8Array, mapping?: object) {
  const answer = await upload(body, mapping);
  expect([answer.status, answer.body.detail]).toEqual([202, undefined]);
  const path = `/v1/contacts/imports/${answer.body.id}`;
  const read = async () => (await mine.call("GET", path)).body;
  await expect.poll(async () => (await read()).status, { timeout: 30_000, interval: 20 }).toBe("completed");
  const { rows, created, updated, failed } = (await read()).progress;
  const errors = (await mine.call("GET", `${path}/errors`)).body.data as {
    line: number;
    column: string;
    code: string;
  }[];
  return {
    progress: { rows, created, updated, failed },
    errors: errors.map(({ line, column, code }) => [line, column, code]),
  };
}

const GOOD = { progress: { rows: 1, created: 1, updated: 0, failed: 0 }, errors: [] };
const nameOf = async (phone: string): Promise<string | null> =>
  (await mine.call("GET", `/v1/contacts?phone=${encodeURIComponent(phone)}`)).body.data[0].name;

describe("a file is read", () => {
  it.each<[string, (phone: string) => string, object?]>([
    ["with an empty column behind the last", (phone) => `phone,name,\n${phone},Ana,\n`],
    ["with many of them", (phone) => `phone,name${",".repeat(16_000)}\n${phone},Ana${",".repeat(16_000)}\n`],
    ["with rows that have no cell of them", (phone) => `phone,name,,\n${phone},Ana\n`],
    ["with more empty cells than columns", (phone) => `phone,name\n${phone},Ana,,, \n`],
    ["with an empty column in front and between", (phone) => `;phone;;name\n;${phone};;Ana\n`],
    ["with a line that names the separator", (phone) => `sep=;\nphone;name\n${phone};Ana\n`],
    [
      "with a separator that its names deny",
      (phone) => `SEP=;\r\n"phone,x";phone;name\r\n1;${phone};Ana\r\n`,
      { "phone,x": null },
    ],
    ["with one that cannot be guessed", (phone) => `"sep=^"^^\r\nphone^name\r\n${phone}^Ana\r\n`],
    ["with tabs that are named", (phone) => `\ufeff\r\nsep=\t\r\nphone\tname\r\n${phone}\tAna\r\n`],
    ["with tabs", (phone) => `phone\tname\n${phone}\tAna\n`],
    ["with semicolons", (phone) => `phone;name\n${phone};Ana\n`],
    ["with line ends of an old Macintosh", (phone) => `phone,name\r${phone},Ana\r`],
    ["behind a byte order mark, in quotes", (phone) => `\ufeff"phone","name"\r\n"${phone}","Ana"\r\n`],
    ["with spaces, marks and quotes about its names", (phone) => ` phone\u200b , "name" \n${phone},Ana\n`],
    ["with empty rows behind and between", (phone) => `\n,\nphone,name\n,\n${phone},Ana\n,\n  ,  \n\n\n`],
    ["with one name twice", (phone) => `phone,name,name\n${phone},,Ana\n`],
    ["with one name twice, and the same in both", (phone) => `phone,name,phone\n${phone},Ana,${phone}\n`],
    ["with a column without a name that is mapped", (phone) => `,phone\nAna,${phone}\n`, { "#1": "name" }],
    ["with one that counts its rows", (phone) => `,phone,name\n0,${phone},Ana\n`, { "#1": null }],
    [
      "with one name twice, of which one is not meant",
      (phone) => `phone,name,name\n${phone},Ana,Bob\n`,
      { "#3": null },
    ],
    ["with names that say nothing", (phone) => `A,A,A\n1,${phone},Ana\n`, { "#1": null, "#2": "phone", "#3": "name" }],
    ["with a name that looks like a place", (phone) => `#2,x\n${phone},Ana\n`, { "#2": "phone", x: "name" }],
    [
      "with a number as it was copied",
      (phone) => `phone,name\n\u202a${phone.slice(0, 5)}\u00a0${phone.slice(5)}\u202c,Ana\n`,
    ],
  ])("%s", async (_name, file, mapping) => {
    const phone = number();
    expect(await imported(file(phone), mapping)).toEqual(GOOD);
    expect(await nameOf(phone)).toBe("Ana");
  });

  it("with the lines of its errors where the file has them", async () => {
    const [one, two] = [number(), number()];
    const file = `sep=;\r\nphone;name;;name\r\n${one};Ana;;\r\n${one};Ana;x;\r\n;;;\r\n${one};Ana;;Bob\r\n${one};Ana\r\n${two};Ben;;;y\r\n`;
    expect(await imported(file)).toEqual({
      progress: { rows: 5, created: 1, updated: 0, failed: 4 },
      errors: [
        [4, "#3", "unnamed_column"],
        [6, "name", "ambiguous"],
        [7, null, "invalid_row"],
        [8, null, "invalid_row"],
      ],
    });
  });
});

describe("a file is refused whole", () => {
  it.each<[string, string, object | undefined, string]>([
    [
      "for a place that it does not have",
      "phone,name\n",
      { "#3": "email" },
      "There is no such column in the file, which has 2.",
    ],
    ["for a place that is none", "phone\n", { "#0": "email" }, "no such column"],
    ["for a separator that is no sign", "sep=x\nphone\n", undefined, "no character that separates cells"],
    ["for a line that names none", "sep=\nphone\n", undefined, "no character that separates cells"],
    ["for two names of one field", "phone,name,Name\n", undefined, "are both name"],
    ["for two names that are mapped to one", "phone,a,b\n", { a: "name", b: "name" }, "are both name"],
    ["for two places that are no field", "phone,Notes,Notes\n", undefined, "`Notes` is no field of a contact"],
    ["for a long name that ends in half an emoji", `phone,${"x".repeat(63)}😀\n`, undefined, `${"x".repeat(63)}…`],
  ])("%s", async (_name, file, mapping, detail) => {
    const { status, body } = await upload(file, mapping);
    expect([status, body.detail]).toEqual([400, expect.stringContaining(detail)]);
    expect(body.detail).not.toMatch(/\p{Surrogate}/u);
  });
});
