/** The virtual phone, where the provider is on this very machine: then it is the simulator of `npm start`. The real one never is, and its address stays secret. */
export function simulatorUrl(providerBaseUrl: string): string | null {
  const { hostname, origin } = new URL(providerBaseUrl);
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname) ? `${origin}/sim` : null;
}
