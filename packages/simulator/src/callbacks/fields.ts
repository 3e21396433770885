/**
 * Fields that an account's own callback URL takes; all others go to the app's (documentation of overrides). They are about
 * what a number receives and sends.
 */
const OF_NUMBERS =
  /^(messages|message_echoes|calls|consumer_profile|messaging_handovers|standby|history|account_settings_update|group_.*|smb_.*)$/;

export const takesOverride = (field: string): boolean => OF_NUMBERS.test(field);

/** Whether the envelope's entry has `time`, which the samples of the other fields lack. */
export const isTimed = (field: string): boolean =>
  field !== "messages" && field !== "user_preferences" && field !== "user_id_update" && !OF_NUMBERS.test(field);

export const isOfTemplate = (field: string): boolean => field.includes("template_");

/** Account events go to the app, whether the account subscribed it or not. */
export const needsSubscription = (field: string): boolean => !isTimed(field) || isOfTemplate(field);

/** Events of `account_update` whose envelope names the partner's business, and the account only inside (provider reference 3.2). */
export const isToPartner = (field: string, event: unknown): boolean =>
  field === "account_update" &&
  typeof event === "string" &&
  (event.startsWith("PARTNER_") || event === "AD_ACCOUNT_LINKED" || event === "MM_LITE_TERMS_SIGNED");
