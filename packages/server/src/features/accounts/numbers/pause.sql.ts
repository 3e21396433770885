/**
 * A number that is registered again in the WhatsApp Business app is away and comes back by itself within minutes (Cloud API
 * documentation, reconnecting offboarded clients); what is sent meanwhile fails. Should the provider not say that it is back, the pause
 * ends all the same: from then on its answers to sends count.
 */
export const PAUSE_MINUTES = 15;

/** Whether a row of phone_number waits for the provider; `now` is the variable of the function. */
export const isPaused = (n: string): string =>
  `coalesce(${n}.offboarded_at > coalesce(${n}.reconnected_at, '-infinity') and ${n}.offboarded_at > now - interval '${PAUSE_MINUTES} minutes', false)`;
