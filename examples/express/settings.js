// The shop's settings. The gateway's operator issues the first four.
const NAMES = [
  'GATEWAY_BASE_URL',
  'GATEWAY_MERCHANT_ID',
  'GATEWAY_TOKEN',
  'GATEWAY_WEBHOOK_SECRET',
];

const missing = NAMES.filter((name) => !process.env[name]);
if (missing.length > 0) {
  process.stderr.write(`Set ${missing.join(', ')} (npm start of the gateway shows all of them).\n`);
  process.exit(1);
}

const port = Number(process.env.PORT ?? 4100);

export const settings = {
  baseUrl: process.env.GATEWAY_BASE_URL,
  merchantId: process.env.GATEWAY_MERCHANT_ID,
  token: process.env.GATEWAY_TOKEN,
  // Two secrets with a space between them during a rotation.
  secrets: process.env.GATEWAY_WEBHOOK_SECRET.trim().split(/\s+/),
  port,
  /** Where buyers and the gateway reach this shop. */
  shopUrl: process.env.SHOP_URL ?? `http://localhost:${port}`,
};
