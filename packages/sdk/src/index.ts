export { signaturesOf, verifyWebhook, WebhookVerificationError } from "./webhook.ts";
