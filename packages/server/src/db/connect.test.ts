import { expect, test } from "vitest";
import { isConnectionLoss, isOvertaken, isReadOnlyServer, isShortOfRoom } from "./connect.ts";

/** An error as the driver reports one of the server; errors of the socket have no `routine`. */
const stateError = (code: string): Error => Object.assign(new Error(code), { code, routine: "exec" });

const KINDS = { isConnectionLoss, isOvertaken, isReadOnlyServer, isShortOfRoom };

const kindsOf = (error: Error): string[] =>
  Object.entries(KINDS).flatMap(([name, holds]) => (holds(error) ? [name] : []));

test.each([
  ["08006", ["isConnectionLoss"]],
  ["57P01", ["isConnectionLoss"]],
  ["57P02", ["isConnectionLoss"]],
  ["57P03", ["isConnectionLoss"]],
  ["57P04", ["isConnectionLoss"]],
  ["57P05", ["isConnectionLoss"]],
  ["25P03", ["isConnectionLoss"]],
  ["25P04", ["isConnectionLoss"]],
  ["25006", ["isReadOnlyServer"]],
  ["53100", ["isShortOfRoom"]],
  ["53200", ["isShortOfRoom"]],
  ["53300", ["isConnectionLoss", "isShortOfRoom"]],
  ["53400", ["isShortOfRoom"]],
  ["58030", ["isShortOfRoom"]],
  ["40001", ["isOvertaken"]],
  ["40P01", ["isOvertaken"]],
  ["57014", []],
  ["55P03", []],
  ["25P02", []],
  ["23505", []],
])("server error %s is %j", (code, kinds) => {
  expect(kindsOf(stateError(code))).toEqual(kinds);
});

test.each([new Error("Connection terminated unexpectedly"), Object.assign(new Error("read"), { code: "ECONNRESET" })])(
  "socket error %s is the loss of the connection",
  (error) => {
    expect(kindsOf(error)).toEqual(["isConnectionLoss"]);
  },
);
