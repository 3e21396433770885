import { expect, test } from "vitest";
import { startFault } from "./main.ts";

test.each(["ENOSPC", "EDQUOT", "53100"])("a start without room (%s) is reported in one line", (code) => {
  const error = Object.assign(new Error("could not extend file: No space left on device"), { code });
  expect(startFault(error)).toBe("no space is left: could not extend file: No space left on device");
});
