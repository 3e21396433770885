// Loaded before a gateway's own modules: its wall clock is off by CLOCK_OFFSET_MS, and steps on a message of the parent process. Timers and
// monotonic readings are not changed, as on a machine whose clock is set.
const RealDate = Date;
const realNow = Date.now;
let offsetMs = Number(process.env["CLOCK_OFFSET_MS"] ?? 0);

RealDate.now = () => realNow() + offsetMs;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, made) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now()] : args, made === globalThis.Date ? target : made),
  apply: () => new RealDate(RealDate.now()).toString(),
});

process.on("message", (message) => {
  if (typeof message.clockOffsetMs === "number") offsetMs = message.clockOffsetMs;
});
process.channel?.unref();
