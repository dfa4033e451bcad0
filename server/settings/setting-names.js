// Plain JavaScript, because server/bootstrap.js needs it before anything is installed.
import util from 'node:util';

/** The variables that the gateway reads; server/settings/settings.ts explains each. */
export const SETTING_NAMES = [
  'AUTH_SECRET',
  'CALLBACK_NETWORK',
  'CLICK_API_URL',
  'CLICK_PAY_URL',
  'COALESCE',
  'DATABASE_POOL_SIZE',
  'DATABASE_URL',
  'DATA_DIR',
  'DEMO_MERCHANT',
  'ENV_FILE',
  'FAILED_AUTH_PER_MINUTE',
  'GATEWAY_BASE_URL',
  'GATEWAY_MERCHANT_ID',
  'GATEWAY_TOKEN',
  'GITHUB_CLIENT_ID',
  'GITHUB_CLIENT_SECRET',
  'GOOGLE_CLIENT_ID',
  'GOOGLE_CLIENT_SECRET',
  'HOST',
  'HSTS_SUBDOMAINS',
  'INNGEST_SERVE_ORIGIN',
  'JOBS_DRIVER',
  'LOG_LEVEL',
  'MAIL_FROM',
  'METRICS_PORT',
  'METRICS_TOKEN',
  'MULTICARD_API_URL',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_ISSUER',
  'OIDC_NAME',
  'OPERATOR_SECOND_FACTOR',
  'PAYME_CHECKOUT_URL',
  'PORT',
  'POSTGRES_BIN',
  'PUBLIC_URL',
  'RATE_LIMIT_BURST',
  'RATE_LIMIT_PER_SECOND',
  'SECRETS_KEY',
  'SECRETS_KEY_PREVIOUS',
  'SMTP_URL',
  'STRIPE_API_URL',
  'TELEGRAM_API_URL',
  'TELEGRAM_BOT_NAME',
  'TELEGRAM_BOT_TOKEN',
  'TRUSTED_PROXY_HOPS',
  'WEB_PROCESSES',
  'YOOKASSA_API_URL',
];

// Variables that Node, its packages and the system read, and those that compose.yaml takes from the
// same file for other services.
const OF_OTHERS = [
  /^(OTEL|INNGEST|POSTGRES|COMPOSE|NODE|NEXT|npm|SSL_CERT|LC|UV)_/,
  /^PG[A-Z]+$/,
  /^(TZ|LANG|PATH|HOME|TMPDIR|NO_COLOR|FORCE_COLOR)$/,
  /^(https?|no|all)_proxy$/i,
];

// Anything else may be a piece of a secret whose line was broken, and must not reach a log.
const NAME = /^[A-Za-z_]{1,40}$/;

/**
 * The names in a `.env` that nobody reads. A wrong value ends the start, but a misspelt name would
 * be ignored silently.
 */
export function unknownNames(envFile) {
  return Object.keys(util.parseEnv(envFile)).filter(
    (name) =>
      NAME.test(name) &&
      !SETTING_NAMES.includes(name) &&
      !OF_OTHERS.some((pattern) => pattern.test(name)),
  );
}
