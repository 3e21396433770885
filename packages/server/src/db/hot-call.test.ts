import { expect, test } from "vitest";
import { HotCall } from "./hot-call.ts";

test("a row that cannot be read fails its call at its end, and throws nothing into the driver", async () => {
  const rowOf = (): never => {
    throw new Error("unreadable");
  };
  const answers = new Promise((resolve, reject) => {
    const call = new HotCall({ name: "f", text: "select * from f()", rowOf }, [], true, { resolve, reject });
    // As the driver reports a socket's messages, where an error would end the process.
    for (let row = 1; row <= 2; row++) call.handleDataRow({ fields: [] });
    call.handleCommandComplete();
    call.handleReadyForQuery();
  });
  await expect(answers).rejects.toThrow("unreadable");
});
