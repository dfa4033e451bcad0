// Plain JavaScript, because server/bootstrap.js needs it before anything is installed.
import util from 'node:util';

/** What the gateway reads out of its environment; server/settings/settings.ts says what each is for. */
export const SETTING_NAMES = [
  'AUTH_SECRET',
  'CALLBACK_NETWORK',
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
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_ISSUER',
  'OIDC_NAME',
  'OPERATOR_SECOND_FACTOR',
  'PORT',
  'POSTGRES_BIN',
  'PUBLIC_URL',
  'RATE_LIMIT_BURST',
  'RATE_LIMIT_PER_SECOND',
  'SECRETS_KEY',
  'SECRETS_KEY_PREVIOUS',
  'SMTP_URL',
  'TRUSTED_PROXY_HOPS',
  'WEB_PROCESSES',
];

// What Node, its packages and the system read by themselves, and what compose.yaml takes of the
// same file for other services.
const OF_OTHERS = [
  /^(OTEL|INNGEST|POSTGRES|COMPOSE|NODE|NEXT|npm|SSL_CERT|LC|UV)_/,
  /^PG[A-Z]+$/,
  /^(TZ|LANG|PATH|HOME|TMPDIR|NO_COLOR|FORCE_COLOR)$/,
  /^(https?|no|all)_proxy$/i,
];

// What looks like no name may be a piece of a secret, whose line was broken: nobody is to read that
// in a log.
const NAME = /^[A-Za-z_]{1,40}$/;

/**
 * The names in a `.env` that nobody reads: misspelt ones, since a wrong name would change nothing
 * without a word where a wrong value ends the start.
 */
export function unknownNames(envFile) {
  return Object.keys(util.parseEnv(envFile)).filter(
    (name) =>
      NAME.test(name) &&
      !SETTING_NAMES.includes(name) &&
      !OF_OTHERS.some((pattern) => pattern.test(name)),
  );
}
