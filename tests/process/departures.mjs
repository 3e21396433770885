// Loaded before a gateway's own modules: tells its parent when each message's request went to its socket, on the clock that
// all processes of the machine share. What the provider sees is later by however long a busy machine lets it wait.
import { subscribe } from "node:diagnostics_channel";

subscribe("undici:client:sendHeaders", ({ request }) => {
  const number = /\/(\d+)\/messages(?:\?|$)/.exec(request.path)?.[1];
  if (number) process.send?.({ departed: number, atMs: Number(process.hrtime.bigint()) / 1e6 });
});
