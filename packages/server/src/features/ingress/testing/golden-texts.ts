import { goldenBytes, goldenNames } from "../../../provider/whatsapp/testing/golden.ts";
import type { ProviderAccount } from "../../../testing/provider-account.ts";

/** More than one callback reports on messages of ours that it names. */
export const OWN_MESSAGES = 2;

/**
 * A golden callback as text: of this account, its number and its template instead of the invented ones, and with messages of its own,
 * which have one id in most files. `own`: messages that we sent, for the statuses in it.
 */
export function goldenText(name: string, account: ProviderAccount, own: readonly string[] = []): string {
  const text = withIdsOf(account, goldenBytes(name).toString());
  const reported = [...new Set(text.match(/"wamid\.SIM[^"]*"/g))];
  const ours = new Map(reported.map((wamid, n) => [wamid, own[n]]));
  return text.replaceAll(/"wamid\.[^"]*"/g, (wamid) => {
    const id = ours.get(wamid);
    return id === undefined ? wamid.replace("wamid.", `wamid.${name}.`) : `"${id}"`;
  });
}

/** A callback with the ids of this account, its number and its template instead of the invented ones. */
export const withIdsOf = ({ wabaId, providerPhoneNumberId, templates }: ProviderAccount, text: string): string =>
  text
    .replaceAll(/"105[567]"/g, `"${providerPhoneNumberId}"`)
    .replaceAll(/"900[12]"/g, `"${wabaId}"`)
    .replaceAll("1689556908129832", templates["order_ready"] ?? "");

export const goldenTexts = (account: ProviderAccount): Map<string, string> =>
  new Map(goldenNames("callback-").map((name) => [name, goldenText(name, account)]));
