/** The provider app's secret and token that gateway, stub and load generator share. */
export const APP_SECRET = "bench-app-secret";
export const VERIFY_TOKEN = "bench-verify-token";

/** Where the stub takes deliveries. */
export const SUBSCRIBER = "/subscriber";
/** The same for endpoints that hang when the stub is asked to let them. */
export const HANGING = `${SUBSCRIBER}/hanging`;

/** As in production, but for the rate limit, which is off: it would be what is measured. */
export const SETTINGS = {
  WAYPOST_OPERATOR_KEY: "bench-operator-key-0123456789",
  WAYPOST_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  PROVIDER_APP_ID: "42",
  PROVIDER_APP_SECRET: APP_SECRET,
  PROVIDER_VERIFY_TOKEN: VERIFY_TOKEN,
  API_RATE_LIMIT: "off",
  EGRESS_ALLOW_CIDRS: "127.0.0.0/8",
};
