import { expect, test } from "vitest";
import { startFault } from "./main.ts";

test.each([
  ["ENOTFOUND", "the name of a host is not known (DATABASE_URL or HOST): why"],
  ["EADDRNOTAVAIL", "this machine does not have the address (HOST): why"],
  ["25006", "the database can only be read (DATABASE_URL): why"],
  ["42501", "the database cannot be used (DATABASE_URL): why"],
  ["53300", "the database cannot be used (DATABASE_URL): why"],
])("a start that an operator can mend (%s) is reported in one line", (code, line) => {
  expect(startFault(Object.assign(new Error("why"), { code }))).toBe(line);
});

test.each(["ENOSPC", "EDQUOT", "53100"])("a start without room (%s) is reported in one line", (code) => {
  const error = Object.assign(new Error("could not extend file: No space left on device"), { code });
  expect(startFault(error)).toBe("no space is left: could not extend file: No space left on device");
});
