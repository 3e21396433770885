// Loaded before a gateway's own modules: reports to its parent when each message's request was written to its socket, by the clock
// that all processes of the machine share. The provider receives it later, by any time on a busy machine.
import { subscribe } from "node:diagnostics_channel";

subscribe("undici:client:sendHeaders", ({ request }) => {
  const number = /\/(\d+)\/messages(?:\?|$)/.exec(request.path)?.[1];
  if (number) process.send?.({ departed: number, atMs: Number(process.hrtime.bigint()) / 1e6 });
});
