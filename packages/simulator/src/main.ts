import process from "node:process";
import { startSimulator } from "./index.ts";

const USAGE = "usage: simulator [--port N] [--host ADDRESS] [--callback-url URL]";

/** The simulator as its own process: one line when it listens, one line and exit code 1 when it cannot. */
async function main(): Promise<void> {
  const settings = readSettings(process.argv.slice(2), process.env);
  const simulator = await startSimulator(settings);
  process.stdout.write(`simulator listening on ${simulator.url} (virtual phone: ${simulator.url}/sim)\n`);
  const stop = () => {
    // A second signal while stopping ends the process at once.
    process.removeAllListeners("SIGINT").removeAllListeners("SIGTERM");
    simulator.close().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
}

function readSettings(argv: readonly string[], env: NodeJS.ProcessEnv) {
  const flags = new Map<string, string>();
  for (let at = 0; at < argv.length; at += 2) {
    const [name, value] = [argv[at] ?? "", argv[at + 1]];
    if (!["--port", "--host", "--callback-url"].includes(name) || value === undefined) throw new Error(USAGE);
    flags.set(name, value);
  }
  const port = flags.get("--port") ?? env["SIMULATOR_PORT"] ?? "8081";
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new Error(`SIMULATOR_PORT must be 0 to 65535, not "${port}"`);
  const callbackUrl = flags.get("--callback-url") ?? env["CALLBACK_URL"] ?? "";
  if (callbackUrl !== "" && !(/^https?:/.test(callbackUrl) && URL.canParse(callbackUrl))) {
    throw new Error("CALLBACK_URL must be an URL with http or https");
  }
  const appId = env["PROVIDER_APP_ID"];
  return {
    port: Number(port),
    host: flags.get("--host") ?? env["HOST"] ?? "127.0.0.1",
    appSecret: required(env, "PROVIDER_APP_SECRET", "the secret that signs callbacks, as the gateway has it"),
    verifyToken: required(env, "PROVIDER_VERIFY_TOKEN", "the token of the handshake, as the gateway has it"),
    callbackUrl: callbackUrl === "" ? null : callbackUrl,
    ...(appId === undefined || appId === "" ? {} : { appId }),
  };
}

function required(env: NodeJS.ProcessEnv, name: string, needs: string): string {
  const value = env[name] ?? "";
  if (value === "") throw new Error(`${name} is missing: it needs ${needs}`);
  return value;
}

function fail(error: unknown): never {
  const taken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`simulator: ${taken ? `port is taken: ${message}` : message}\n`);
  process.exit(1);
}

main().catch(fail);
