import { isUnknownObject } from "../../provider/error-table.ts";
import type { AccountAccess, Provider, ProviderError } from "../../provider/provider.ts";
import { reasonOf } from "./account-failures.ts";

/** What the provider calls the kinds of its objects in the error about a field that one does not have. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/phone/i, "a phone number"],
  [/template/i, "a message template"],
  [/^app/i, "an app"],
  [/^business$/i, "a business portfolio"],
  [/user/i, "a user"],
  [/^page$/i, "a page"],
];

const PHONE = "a phone number";

/** The provider's code for a request that does not fit the object. */
const INVALID = 100;

/**
 * What is wrong with the id of an account that the provider has refused, as a sentence; null when the refusal is about something else.
 * The provider answers the same to an id of another kind as to a mistake in the call.
 */
export async function wrongIdOf(
  { isPhoneNumber }: Pick<Provider, "isPhoneNumber">,
  access: AccountAccess,
  error: ProviderError,
): Promise<string | null> {
  if (isUnknownObject(error))
    return "The access token reaches no WhatsApp Business Account with the id in provider_account_id. Check the id, and that the token was given access to the account.";
  if (error.provider?.code !== INVALID) return null;
  const type = /node type \((\w+)\)/.exec(error.provider.title)?.[1];
  const kind = KINDS.find(([pattern]) => type !== undefined && pattern.test(type))?.[1];
  const found = kind ?? ((await isPhoneNumber(access)) ? PHONE : null);
  if (found === null) return null;
  return `provider_account_id is the id of ${found}, and not that of a WhatsApp Business Account. The provider's pages show the account's id beside its name, above its phone numbers.`;
}

/** Public text: why an account cannot be connected. */
export const refusalOf = (error: ProviderError, wrongId: string | null): string =>
  wrongId === null ? reasonOf(error) : `${wrongId} The provider says: ${reasonOf(error)}`;
