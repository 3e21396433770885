// `npm run test:clients [-- names]`: public client libraries of the Cloud API, at pinned versions, use the simulator as if it were
// the provider, and read its callbacks; then they do the same with a gateway's address and a key of it as their token, and some are
// receivers of a gateway's endpoints in the provider's format. They are
// installed from the package registries into a cache folder (those in Rust are compiled there), and are no dependencies of this
// project. `s3` among the names tests our own stores against a server of another maker.
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startFront } from "../tests/clients/fronted.mjs";
import { OPERATIONS } from "../tests/clients/operations.mjs";
import { receive } from "../tests/clients/receiving.mjs";
import { judge, printTable } from "../tests/clients/results.mjs";
import {
  APP_SECRET,
  fixtureCallbacks,
  liveCallbacks,
  startReceiver,
  startWorld,
  VERIFY_TOKEN,
} from "../tests/clients/world.mjs";
import { ensureBuilt } from "./compile.mjs";
import { ensureInstalled } from "./install.mjs";
import { ROOT, run, runMain } from "./run.mjs";
import { testS3 } from "./test-s3.mjs";

const CACHE = join(ROOT, "node_modules/.cache/clients");
const SOURCES = join(ROOT, "tests/clients");
/** A client makes some fifty calls and reads some three hundred callbacks. */
const CLIENT_MS = 120_000;

const CLIENTS = [
  {
    name: "whatsapp-api-js",
    language: "npm",
    packages: { "whatsapp-api-js": "6.3.0" },
    program: "whatsapp-api-js.mjs",
    receiver: "whatsapp-api-js-receiver.mjs",
  },
  {
    name: "kapso",
    language: "npm",
    packages: { "@kapso/whatsapp-cloud-api": "0.3.0" },
    program: "kapso.mjs",
    receiver: "kapso-receiver.mjs",
  },
  {
    name: "pywa",
    language: "python",
    packages: { pywa: "4.5.0", httpx: "0.28.1" },
    program: "pywa_client.py",
    receiver: "pywa_receiver.py",
  },
  {
    name: "great-detail",
    language: "npm",
    packages: { "@great-detail/whatsapp": "8.4.0" },
    program: "great-detail.mjs",
  },
  {
    name: "whatsapp-business",
    language: "npm",
    packages: { "whatsapp-business": "1.7.2" },
    program: "whatsapp-business.mjs",
  },
  {
    name: "whatsapp-cloud-api",
    language: "npm",
    packages: { "whatsapp-cloud-api": "0.3.1" },
    program: "whatsapp-cloud-api.mjs",
  },
  {
    name: "meta",
    language: "npm",
    packages: { whatsapp: "0.0.5-Alpha", selfsigned: "5.5.0" },
    program: "meta.mjs",
  },
  { name: "heyoo", language: "python", packages: { heyoo: "0.1.2" }, program: "heyoo_client.py" },
  { name: "wacloudapi", language: "rust", packages: { wacloudapi: "0.1.0" }, program: "wacloudapi" },
  {
    name: "whatsapp-business-rs",
    language: "rust",
    packages: { "whatsapp-business-rs": "0.5.0" },
    program: "whatsapp_business_rs",
  },
];

/** The name of the half that is about stores. */
const S3 = "s3";

await runMain(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const simulatorModule = await import("../packages/simulator/dist/index.js");
  const asked = process.argv.slice(2);
  const unknown = asked.find((name) => name !== S3 && CLIENTS.every((client) => client.name !== name));
  if (unknown !== undefined) throw new Error(`there is no client ${unknown}`);
  const callbacks = [...fixtureCallbacks(join(ROOT, "fixtures/provider")), ...(await liveCallbacks(simulatorModule))];
  mkdirSync(CACHE, { recursive: true });
  const file = join(CACHE, "callbacks.json");
  writeFileSync(file, JSON.stringify(callbacks));
  // A client at the gateway reads no callback again; it checks a right signature and a wrong one.
  const some = join(CACHE, "some-callbacks.json");
  writeFileSync(some, JSON.stringify(callbacks.slice(0, 2)));
  const serverModule = await import("../packages/server/dist/index.js");
  const used = [];
  const fronted = [];
  for (const client of CLIENTS.filter(({ name }) => asked.length === 0 || asked.includes(name))) {
    const command = await prepare(client);
    if (command === null) continue;
    console.log(`${client.name} ${Object.values(client.packages)[0]} …`);
    used.push({ client, command, found: await use(command, simulatorModule, file) });
    console.log(`${client.name} at a gateway …`);
    const found = await useFront(command, simulatorModule, serverModule, some);
    fronted.push(judge({ ...client, receiver: undefined }, found, callbacks.slice(0, 2), "gateway"));
  }
  const received = await receiveAll(used, simulatorModule, serverModule);
  const results = used.map(({ client, found }) => {
    const reports = received.get(client.name) ?? [];
    const heard = [...callbacks, ...namesOf(reports)];
    return judge(client, { ...found, reports: [...found.reports, ...reports] }, heard, "simulator");
  });
  const stores = asked.length === 0 || asked.includes(S3) ? await testS3(CACHE) : null;
  if (results.length > 0) printTable(results);
  if (fronted.length > 0) {
    console.log("\nAt a gateway");
    printTable(fronted);
  }
  const failures = [
    ...results.flatMap(({ client, failures }) => failures.map((one) => `${client.name}: ${one}`)),
    ...fronted.flatMap(({ client, failures }) => failures.map((one) => `${client.name}, at a gateway: ${one}`)),
  ];
  if (stores?.failure) failures.push(`${S3}: ${stores.failure}`);
  if (stores !== null) console.log(`\n${S3}: ${stores.skipped ? "skipped" : (stores.failure ?? "ok")}`);
  for (const failure of failures) console.log(`\nFAILED ${failure}`);
  return failures.length === 0 && (results.length > 0 || stores?.skipped === false) ? 0 : 1;
});

/** Those that can be are receivers at one gateway; resolves to their reports, by name. */
async function receiveAll(used, simulatorModule, serverModule) {
  const receivers = used.flatMap(({ client: { name, receiver }, command: [program, file] }) =>
    receiver === undefined ? [] : [{ name, command: [program, join(dirname(file), receiver)] }],
  );
  if (receivers.length === 0) return new Map();
  console.log(`a gateway, and its receivers ${receivers.map(({ name }) => name).join(", ")} …`);
  return await receive(receivers, simulatorModule, serverModule);
}

/** The deliveries of a receiver, as the callbacks that it has read. */
function namesOf(reports) {
  const prefix = "parse ";
  return reports.flatMap(({ operation }) =>
    operation.startsWith(prefix) ? [{ name: operation.slice(prefix.length) }] : [],
  );
}

/** Installs a client unless this version is there; resolves to its command, or null where its language is missing. */
async function prepare(client) {
  return client.language === "rust" ? await compile(client) : await install(client);
}

/** One package has the clients in Rust, so that what they share is compiled once; cargo knows what is there already. */
async function compile(client) {
  if ((await run("cargo", ["--version"])).code !== 0) {
    console.log(`${client.name}: skipped, as there is no cargo here`);
    return null;
  }
  const target = join(CACHE, "rust");
  const program = join(target, "debug", client.program);
  const manifest = join(SOURCES, "rust/Cargo.toml");
  const [version] = Object.values(client.packages);
  if (!readFileSync(manifest, "utf8").includes(`"=${version}"`))
    throw new Error(`${manifest} pins another ${client.name}`);
  const flags = ["--locked", "--quiet", "--bin", client.program, "--manifest-path", manifest, "--target-dir", target];
  if (!existsSync(program)) console.log(`${client.name}: compiling, which takes a minute the first time …`);
  const { code, output } = await run("cargo", ["build", ...flags]);
  if (code !== 0) throw new Error(`${client.name} cannot be compiled\n${output}`);
  return [program];
}

async function install(client) {
  const pins = Object.entries(client.packages);
  const home = join(CACHE, `${client.name}-${pins.map(([, version]) => version).join("-")}`);
  const isNpm = client.language === "npm";
  if (!isNpm && (await run("python3", ["-c", "import venv, ensurepip"])).code !== 0) {
    console.log(`${client.name}: skipped, as there is no python3 with venv here`);
    return null;
  }
  const done = join(home, "installed");
  if (!existsSync(done)) {
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home, { recursive: true });
    const { code, output } = isNpm ? await installNpm(home, pins) : await installPython(home, pins);
    if (code !== 0) throw new Error(`${client.name} cannot be installed\n${output}`);
    writeFileSync(done, "");
  }
  // Beside the packages, so that their names are found.
  const sources = readdirSync(SOURCES, { withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { name } of sources) copyFileSync(join(SOURCES, name), join(home, name));
  return [isNpm ? process.execPath : join(home, "venv/bin/python"), join(home, client.program)];
}

async function installNpm(home, pins) {
  writeFileSync(join(home, "package.json"), JSON.stringify({ private: true, dependencies: Object.fromEntries(pins) }));
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  return await run("npm", ["install", "--prefix", home, ...flags]);
}

async function installPython(home, pins) {
  const venv = await run("python3", ["-m", "venv", join(home, "venv")]);
  if (venv.code !== 0) return venv;
  const packages = pins.map(([name, version]) => `${name}==${version}`);
  return await run(join(home, "venv/bin/python"), ["-m", "pip", "install", "--quiet", ...packages]);
}

/** Runs a client against a simulator of its own; resolves to its reports and to what it left unsaid. */
async function use(command, { startSimulator }, callbacks) {
  const receiver = await startReceiver();
  const { simulator, world } = await startWorld(startSimulator, receiver.url);
  const count = () => simulator.sent({ accepted: true }).data.length;
  const of = { url: simulator.url, count, world, receiver, callbacks };
  try {
    return await runAt(of, command);
  } finally {
    await simulator.close();
    await receiver.close();
  }
}

/** The same at a gateway of its own, which has the simulator as its provider. */
async function useFront(command, simulatorModule, serverModule, callbacks) {
  const receiver = await startReceiver();
  const { stop, ...front } = await startFront(simulatorModule, serverModule);
  try {
    return await runAt({ ...front, receiver, callbacks }, command);
  } finally {
    await stop();
    await receiver.close();
  }
}

/** `count`: how many messages there are of its sends. */
async function runAt({ url, count, world, receiver, callbacks }, [command, ...args]) {
  const env = {
    ...process.env,
    SIMULATOR_URL: url,
    CALLBACK_URL: receiver.url,
    CALLBACKS: callbacks,
    APP_SECRET,
    VERIFY_TOKEN,
    WORLD: JSON.stringify(world),
    OPERATIONS: JSON.stringify(OPERATIONS),
  };
  const { code, output, complaint } = await execute(command, args, env);
  const reports = output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
  const accepted = await count();
  const ended = code === 0 ? null : `ended with ${code}\n${complaint.slice(-2000)}`;
  return { reports, accepted, ended };
}

async function execute(command, args, env) {
  return await new Promise((resolve) => {
    const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"], timeout: CLIENT_MS });
    let output = "";
    let complaint = "";
    child.stdout.setEncoding("utf8").on("data", (chunk) => (output += chunk));
    child.stderr.setEncoding("utf8").on("data", (chunk) => (complaint += chunk));
    child.once("error", (error) => resolve({ code: 127, output, complaint: error.message }));
    child.once("close", (code, signal) => resolve({ code: code ?? signal, output, complaint }));
  });
}
