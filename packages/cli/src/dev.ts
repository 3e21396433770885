import { type Dev, startDev } from "./dev-house.ts";

// `npm start`: everything a newcomer needs, until Ctrl-C.
let dev: Dev;
try {
  dev = await startDev(process.env, (line) => console.log(line));
} catch (error) {
  console.error(`waypost: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
let stopping = false;
const stop = (code: number) => async () => {
  if (stopping) return process.exit(1); // a second Ctrl-C does not wait
  stopping = true;
  console.log("Stopping …");
  await dev.stop();
  process.exit(code);
};
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => void stop(0)());
dev.onFailure((reason) => {
  console.error(`waypost: ${reason}`);
  void stop(1)();
});
