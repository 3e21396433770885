import { Resolver, lookup as systemLookup } from "node:dns/promises";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { buildConnector } from "undici";
import { takingInterimAnswers } from "../interim-answers.ts";
import type { Proxy } from "./proxy.ts";
import { type EgressPolicy, knownAddresses, mayReach, TargetRefused } from "./target.ts";

/** Addresses of a name; rejects when there are none. */
export type Resolve = (name: string) => Promise<string[]>;

export type ConnectOptions = {
  policy: EgressPolicy;
  insideOnly: boolean;
  resolve: Resolve;
  /** Name resolution, TCP and TLS together. */
  timeoutMs: number;
  /** Through which connections are opened; the rules hold before it. */
  proxy?: Proxy | undefined;
  /** Certificate authorities in place of the system's, as PEM. */
  ca?: string | undefined;
};

/** The name could not be resolved. */
export class NameUnresolved extends Error {
  override readonly name = "NameUnresolved";
}

/** Opens connections only to addresses that the policy permits; fails with `TargetRefused` otherwise. */
export function guardedConnector(options: ConnectOptions): buildConnector.connector {
  const { policy, insideOnly, proxy } = options;
  if (proxy) return throughProxy(proxy, options);

  // The addresses checked here are the ones connected to: the name server is not asked again and so cannot change its answer.
  const lookup: LookupFunction = (name, wanted, done) => {
    void answerLookup(name, wanted.all === true, done);
  };
  async function answerLookup(name: string, all: boolean, done: Parameters<LookupFunction>[2]): Promise<void> {
    let list: { address: string; family: number }[];
    try {
      list = (await vetted(name, options)).map((address) => ({ address, family: isIP(address) }));
    } catch (error) {
      done(error instanceof Error ? error : new NameUnresolved("The host name does not resolve."), "");
      return;
    }
    const [first] = list;
    if (all) done(null, list);
    else if (first) done(null, first.address, first.family);
  }
  const connect = buildConnector({
    timeout: options.timeoutMs,
    lookup,
    autoSelectFamily: true,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });

  return takingInterimAnswers((target, callback) => {
    // `lookup` is not called for an address: without this check 127.0.0.1 would be permitted.
    if (
      isIP(target.hostname.replace(/^\[|\]$/g, "")) !== 0 &&
      !mayReach(knownAddresses(target.hostname)[0] ?? "", insideOnly, policy)
    ) {
      callback(new TargetRefused("The host must be a name, not an address."), null);
      return;
    }
    connect(target, (...result) => {
      const [error, socket] = result;
      if (error) return callback(error, null);
      if (mayReach(socket.remoteAddress ?? "", insideOnly, policy)) return callback(null, socket);
      socket.destroy();
      callback(new TargetRefused("The connection ended at an address that is not public."), null);
    });
  });
}

/** The name is resolved and vetted here, and the proxy is given the address; TLS is spoken with the server itself. */
function throughProxy(proxy: Proxy, options: ConnectOptions): buildConnector.connector {
  const { timeoutMs: timeout, ca } = options;
  const secure = buildConnector({ timeout, ...(ca === undefined ? {} : { ca }) });
  const open = async ({ hostname, port, protocol }: buildConnector.Options): Promise<Socket> => {
    const late = AbortSignal.timeout(timeout);
    const addresses = await vetted(hostname, options);
    // Few proxies have a way to IPv6.
    const address = addresses.find((one) => isIP(one) === 4) ?? addresses[0] ?? "";
    const socket = await proxy.connect(address, Number(port) || (protocol === "http:" ? 80 : 443), late);
    return socket.setNoDelay(true);
  };
  const connect = async (target: buildConnector.Options, callback: buildConnector.Callback): Promise<void> => {
    let socket: Socket;
    try {
      socket = await open(target);
    } catch (error) {
      callback(error instanceof Error ? error : new NameUnresolved("The host name does not resolve."), null);
      return;
    }
    if (target.protocol === "https:") secure({ ...target, httpSocket: socket }, callback);
    else callback(null, socket);
  };
  return (target, callback) => void connect(target, callback);
}

async function vetted(name: string, { policy, insideOnly, resolve }: ConnectOptions): Promise<string[]> {
  const known = knownAddresses(name);
  const addresses =
    known.length > 0 ? known.filter((address) => mayReach(address, insideOnly, policy)) : await resolve(name);
  // All or nothing: a name with a private address among public ones is an attack, not an accident.
  if (addresses.length === 0 || !addresses.every((address) => mayReach(address, insideOnly, policy)))
    throw new TargetRefused("The host is not a public address.");
  return addresses;
}

const NAME_TIMEOUT_MS = 2_000;
const NAME_TRIES = 2;

/**
 * Resolves by asking the name servers directly: the system's resolver occupies one of four threads for each name, so a few
 * stalling servers of one tenant would stop the deliveries of all. `withSystem` asks the system afterwards, for names of its
 * hosts file and search list, which are private and so only matter where private ranges are allowed.
 */
export function nameResolver(withSystem: boolean): Resolve {
  const resolver = new Resolver({ timeout: NAME_TIMEOUT_MS, tries: NAME_TRIES });
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const found = withSystem ? await systemLookup(name, { all: true }).catch(() => []) : [];
    if (found.length === 0) throw new NameUnresolved("The host name does not resolve.");
    return found.map((entry) => entry.address);
  };
}
