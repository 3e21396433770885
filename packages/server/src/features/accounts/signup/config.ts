import type { TxCtx } from "../../../ctx.ts";
import { outsideAddress } from "../../../http/outside-address.ts";
import type { Answer } from "../../../http/route.ts";
import type { EmbeddedSignupConfig } from "./schema.ts";

/** The page that the provider's dialog returns to; it reads no cookie. */
export const RETURN_PATH = "/signup/return";

/** What a page needs to open the provider's dialog; null where the operator has not set it up. */
export function getSignupConfig({ config, provider }: TxCtx): Promise<Answer<EmbeddedSignupConfig>> {
  const { PROVIDER_APP_ID: app_id, PROVIDER_SIGNUP_CONFIG_ID: config_id } = config;
  const redirect_uri = `${outsideAddress(config)}${RETURN_PATH}`;
  const dialog_url =
    config_id === null ? null : provider.signupDialog({ configId: config_id, redirectUri: redirect_uri });
  return Promise.resolve({ body: { dialog_url, app_id, config_id, redirect_uri } });
}
