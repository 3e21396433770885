import { columns, hotFunction, lookUp, recordset } from "../../db/hot-function.ts";

const ID = columns({ id: "uuid" });

/** A raw callback; null where it is gone. It may report of other workspaces too: it is cut before anything leaves. */
export const loadRawCallback = hotFunction({
  name: "load_raw_callback",
  writes: false,
  input: ID,
  answers: columns({ id: "uuid", body: "bytea?" }),
  body: `return query select x.id, c.body from ${recordset(ID)} ${lookUp("c", "select c.body from callback c where c.id = x.id")} order by x.ordinality;`,
});
