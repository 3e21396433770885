import type { BusinessAccount, PhoneNumber } from "@waypost/sdk";

/**
 * A business portfolio and what it has of its messaging limit. `id`: its own, or that of the account where the portfolio is not known.
 * `share`: how much is used, 0 to 1; null where there is no limit or it is not known.
 */
export type Portfolio = { id: string; names: string[]; share: number | null } & PhoneNumber["messaging_limit"];

/** The portfolios of which something is known, the fullest first. Accounts of a portfolio, and all of their numbers, share its limit. */
export function portfoliosOf(accounts: readonly BusinessAccount[]): Portfolio[] {
  const found = new Map<string, Portfolio>();
  for (const { portfolio_id, provider_account_id, name, phone_numbers: numbers } of accounts) {
    const room = numbers[0]?.messaging_limit;
    if (room === undefined || (room.limit === null && room.remaining !== 0)) continue;
    const id = portfolio_id === null ? `account ${provider_account_id}` : portfolio_id;
    const names = [...(found.get(id)?.names ?? []), name || provider_account_id];
    found.set(id, { id, names, share: shareOf(room), ...room });
  }
  return [...found.values()].sort((one, other) => fullness(other) - fullness(one));
}

const shareOf = ({ limit, used }: PhoneNumber["messaging_limit"]): number | null =>
  limit === null ? null : limit === 0 ? 1 : Math.min(1, (used ?? 0) / limit);

/** The provider's own refusal counts, whatever was counted here. */
const fullness = ({ remaining, share }: Portfolio): number => (remaining === 0 ? 1 : (share ?? 0));
