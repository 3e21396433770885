// What a client has reported, judged and as a table.
import { EXCEPTIONS, OPERATIONS, RECEIVING } from "./operations.mjs";

/** How an outcome stands in the table. */
const SHOWN = { ok: "ok", "not offered": "-", failed: "FAILED", known: "known" };

/** The outcome of each operation, and all that is wrong: failures, silence, and exceptions without need. */
export function judge(client, { reports, accepted, ended }, callbacks, at) {
  const outcomes = new Map(reports.map((report) => [report.operation, report]));
  const failures = ended === null ? [] : [ended];
  const exceptions = EXCEPTIONS.filter(({ client: name, places = ["simulator"] }) => {
    return (name === client.name || name === "*") && places.includes(at);
  });
  const needed = new Set();
  const receiving = client.receiver === undefined ? [] : RECEIVING;
  for (const operation of [
    ...OPERATIONS,
    ...receiving,
    ...heardIn(outcomes),
    ...callbacks.map(({ name }) => `parse ${name}`),
  ]) {
    const report = outcomes.get(operation) ?? { outcome: "failed", detail: "it reported nothing" };
    const exception = exceptions.find(
      (one) => isLike(one.operation, operation) && report.detail?.includes(one.error) === true,
    );
    if (report.outcome === "failed" && exception !== undefined) {
      needed.add(exception);
      outcomes.set(operation, { ...report, outcome: "known" });
    } else if (report.outcome === "failed") {
      outcomes.set(operation, report);
      failures.push(`${operation}\n  ${report.detail}`);
    }
  }
  for (const one of exceptions) {
    if (one.client !== "*" && !needed.has(one))
      failures.push(`${one.operation} works now: remove the exception (${one.reason})`);
  }
  const sends = sendsOf(reports);
  if (accepted < sends.length) failures.push(`${sends.length} sends, and ${accepted} messages of them`);
  return { client, outcomes, failures, exceptions: [...needed], callbacks };
}

/** The operations that have sent a message. */
const sendsOf = (reports) =>
  reports.filter(({ operation, outcome }) => outcome === "ok" && /^(send|ask)\b/.test(operation));

function isLike(pattern, operation) {
  const parts = pattern.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(operation);
}

export function printTable(results) {
  const rows = [["", ...results.map(({ client }) => client.name)]];
  for (const operation of OPERATIONS) {
    rows.push([operation, ...results.map(({ outcomes }) => SHOWN[outcomes.get(operation).outcome])]);
  }
  const isLive = ({ name }) => name.startsWith("live: ");
  const isDelivery = ({ name }) => name.startsWith("gateway: ");
  const isDocumented = (one) => !isLive(one) && !isDelivery(one);
  rows.push(["parse documented callbacks", ...results.map((result) => counted(result, isDocumented))]);
  rows.push(["parse callbacks of the simulator", ...results.map((result) => counted(result, isLive))]);
  rows.push(["parse deliveries of the gateway", ...results.map((result) => counted(result, isDelivery))]);
  rows.push(["hear in each handler", ...results.map(({ outcomes }) => countOf(outcomes, heardIn(outcomes)))]);
  const widths = rows[0].map((_cell, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join("  ")
        .trimEnd(),
    );
  console.log("\n-: not offered by this client. known: an exception of tests/clients/operations.mjs");
  for (const { client, exceptions } of results) {
    for (const { operation, reason } of exceptions) console.log(`known: ${client.name}, ${operation}: ${reason}`);
  }
}

/** What a client that knows its own handlers says of each: whether a callback of the simulator has reached it. */
function heardIn(outcomes) {
  return [...outcomes.keys()].filter((operation) => operation.startsWith("hear "));
}

function counted({ outcomes, callbacks }, matches) {
  const operations = callbacks.filter(matches).map(({ name }) => `parse ${name}`);
  return countOf(outcomes, operations);
}

function countOf(outcomes, operations) {
  const counts = new Map();
  for (const operation of operations) {
    const { outcome } = outcomes.get(operation);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  return [...counts].map(([outcome, count]) => `${count} ${SHOWN[outcome]}`).join(", ") || "-";
}
