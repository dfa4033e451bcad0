import { hkdfSync } from 'node:crypto';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { SettingError } from '../lib/errors.ts';
import { isLoopbackUrl } from '../lib/formats.ts';
import { processWide } from '../lib/process-wide.ts';
import { type AcquirerUrls, parseAcquirerUrls } from './acquirer-settings.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { assertInngestIsSigned } from './inngest-settings.ts';
import { type MailSettings, parseMailSettings } from './mail-settings.ts';
import { type ProviderSettings, parseProviderSettings } from './provider-settings.ts';
import { decodeKey, fileKey, secretsKeyFile } from './secrets-key.ts';
import { parseTelegramSettings, type TelegramSettings } from './telegram-settings.ts';
import { parseTraceSettings, type TraceSettings } from './trace-settings.ts';

/**
 * Every setting of the gateway. Each field names its variable; the README lists them with their
 * defaults.
 */
export type Settings = {
  /** NODE_ENV is `production`. */
  isProduction: boolean;
  /** PORT, default 3000. */
  port: number;
  /** HOST; undefined listens on every address. */
  host: string | undefined;
  /** PUBLIC_URL, default `http://localhost:PORT`; never ends in a slash. */
  publicUrl: string;
  /** PUBLIC_URL is set. */
  publicUrlIsGiven: boolean;
  /** Neither PUBLIC_URL nor PORT is set, so `publicUrl` is the default. */
  publicUrlIsPreset: boolean;
  /** DATABASE_URL; null means the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  /** DATA_DIR, default `.data` in the project root; an absolute path. */
  dataDir: string;
  /**
   * DATABASE_POOL_SIZE, default 10: connections of a worker, or of all processes of a `web`
   * together. At least 2, because some work holds one and queries on another.
   */
  databasePoolSize: number;
  /** WEB_PROCESSES, default 1: processes of `web`, which share DATABASE_POOL_SIZE. */
  webProcesses: number;
  /** JOBS_DRIVER, default `embedded`. */
  jobsDriver: 'embedded' | 'inngest';
  /** INNGEST_SERVE_ORIGIN, default `publicUrl`: where Inngest reaches us; no trailing slash. */
  inngestServeOrigin: string;
  /** CALLBACK_NETWORK; `local` allows loopback as well as public addresses. */
  callbackNetwork: 'public' | 'local';
  /** COALESCE, default `on`: concurrent creates, reads and cancels share statements. */
  coalesce: boolean;
  /** RATE_LIMIT_PER_SECOND, default 200 requests a second for a token. */
  rateLimitPerSecond: number;
  /** RATE_LIMIT_BURST, default 1000. */
  rateLimitBurst: number;
  /** FAILED_AUTH_PER_MINUTE, default 300 for an address. */
  failedAuthPerMinute: number;
  /** TRUSTED_PROXY_HOPS, default 0: X-Forwarded-For is ignored. */
  trustedProxyHops: number;
  /** The file `secrets.key` in `dataDir`; null where SECRETS_KEY is set. */
  secretsKeyFile: string | null;
  /** SECRETS_KEY (base64), or the key in the file. 32 bytes. Throws where there is neither. */
  readonly secretsKey: Buffer;
  /** `secretsKey`, and SECRETS_KEY_PREVIOUS where it is set: the keys that open sealed values. */
  readonly openingKeys: readonly Buffer[];
  /** AUTH_SECRET; default: derived from `secretsKey`. */
  readonly authSecret: string;
  /** METRICS_TOKEN for `/api/metrics`; null admits this machine only, if PUBLIC_URL names it. */
  metricsToken: string | null;
  /** METRICS_PORT: a worker's port for `/api/metrics`, `/api/live` and `/api/health`; or null. */
  metricsPort: number | null;
  /** OTEL_…: how spans are sent; null, the default, sends none. */
  traces: TraceSettings;
  /** LOG_LEVEL, default `info`. */
  logLevel: string;
  /** DEMO_MERCHANT, default `on`. */
  demoMerchant: boolean;
  /** OPERATOR_SECOND_FACTOR, default `required` unless `publicUrl` is loopback, for `/operator`. */
  operatorsNeedSecondFactor: boolean;
  /** HSTS_SUBDOMAINS, default `off`: whether browsers must use https for all subdomains too. */
  hstsCoversSubdomains: boolean;
  /** SMTP_URL and MAIL_FROM. */
  mail: MailSettings;
  /** TELEGRAM_BOT_TOKEN, TELEGRAM_BOT_NAME and TELEGRAM_API_URL; null without a bot. */
  telegram: TelegramSettings | null;
  /** GOOGLE_…, GITHUB_… and OIDC_…: the providers that staff can sign in with. */
  providers: ProviderSettings;
  /** PAYME_CHECKOUT_URL, CLICK_PAY_URL, CLICK_API_URL, MULTICARD_API_URL and YOOKASSA_API_URL. */
  acquirerUrls: Record<'sandbox' | 'production', AcquirerUrls>;
};

type Variables = Readonly<Record<string, string | undefined>>;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/**
 * The folder that holds package.json, which is the working directory: npm runs every script there,
 * and so do people who start a process by hand. `import.meta` would not do, because Next bundles
 * this file elsewhere.
 */
export function projectRoot(): string {
  return process.cwd();
}

function fail(name: string, demand: string, value: string): never {
  throw new SettingError(`The setting ${name} must be ${demand}, but is "${value}".`);
}

function text(variables: Variables, name: string): string | undefined {
  const value = variables[name]?.trim();
  return value === '' ? undefined : value;
}

function whole(variables: Variables, name: string, preset: number, min: number, max: number) {
  const value = text(variables, name);
  if (value === undefined) return preset;
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= min && number <= max)) {
    fail(name, `a whole number from ${min} to ${max}`, value);
  }
  return number;
}

function choice<T extends string>(
  variables: Variables,
  name: string,
  choices: readonly T[],
  preset: T,
): T {
  const value = text(variables, name);
  if (value === undefined) return preset;
  const found = choices.find((candidate) => candidate === value);
  return found ?? fail(name, `one of ${choices.join(', ')}`, value);
}

function webUrl(variables: Variables, name: string, preset: string): URL {
  const value = text(variables, name);
  if (value === undefined) return new URL(preset);
  const url = URL.canParse(value) ? new URL(value) : null;
  const plain = url && !url.search && !url.hash && !url.username && !url.password;
  if (!plain || !/^https?:$/.test(url.protocol)) {
    // The value ends up in a log.
    const shown = value.replace(/:.*@/s, '://…@');
    fail(name, 'an http or https URL without query, fragment or password', shown);
  }
  return url;
}

/** The gateway cannot be served below a path. */
function publicUrl(variables: Variables, port: number): string {
  const { origin, pathname, href } = webUrl(variables, 'PUBLIC_URL', `http://localhost:${port}`);
  if (/[^/]/.test(pathname)) {
    fail('PUBLIC_URL', 'an address without a path, for the gateway needs a host of its own', href);
  }
  return origin;
}

function serveOrigin(variables: Variables, preset: string): string {
  const { origin, pathname } = webUrl(variables, 'INNGEST_SERVE_ORIGIN', preset);
  return origin + pathname.replace(/\/+$/, '');
}

/**
 * Refuses the default URL in production. The default names this machine, which is only a guess:
 * links would lead buyers nowhere, and callbacks would reach whatever listens here.
 *
 * @throws SettingError that names PUBLIC_URL if production lacks it; `npm start` sets it for its
 * children
 */
export function demandPublicUrl({
  isProduction,
  publicUrlIsGiven,
}: Pick<Settings, 'isProduction' | 'publicUrlIsGiven'>): void {
  if (!isProduction || publicUrlIsGiven) return;
  throw new SettingError(
    'The setting PUBLIC_URL must be set in production: the address at which buyers reach the ' +
      'gateway, such as https://pay.example.com, or http://localhost:3000 to try it here.',
  );
}

/** The current and the previous keys; without the setting, the file's, read when first needed. */
function secretsKeys(variables: Variables, dataDir: string, isOwnDatabase: boolean) {
  const value = text(variables, 'SECRETS_KEY');
  const previous = text(variables, 'SECRETS_KEY_PREVIOUS');
  // All values would otherwise be sealed anew with whatever key lies in DATA_DIR.
  if (previous !== undefined && value === undefined) {
    throw new SettingError(
      'The setting SECRETS_KEY_PREVIOUS needs SECRETS_KEY beside it: the new key.',
    );
  }
  const file = secretsKeyFile(dataDir);
  const key = value === undefined ? null : decodeKey('The setting SECRETS_KEY', value);
  return {
    file: key === null ? file : null,
    current: key === null ? fileKey(file, isOwnDatabase) : () => key,
    // The previous key, during a rotation, for values that are not sealed anew yet.
    previous:
      previous === undefined ? [] : [decodeKey('The setting SECRETS_KEY_PREVIOUS', previous)],
  };
}

function authSecret(variables: Variables): string | undefined {
  const value = text(variables, 'AUTH_SECRET');
  if (value !== undefined && value.length < 32) {
    throw new SettingError('The setting AUTH_SECRET must have 32 characters or more.');
  }
  return value;
}

function deriveAuthSecret(key: Buffer): string {
  return Buffer.from(hkdfSync('sha256', key, '', 'auth secret', 32)).toString('base64url');
}

function metricsToken(variables: Variables): string | null {
  const value = text(variables, 'METRICS_TOKEN');
  if (value === undefined) return null;
  if (!/^[\x21-\x7e]{16,}$/.test(value)) {
    throw new SettingError('The setting METRICS_TOKEN must have 16 printable characters or more.');
  }
  return value;
}

/**
 * Reads the settings from a set of variables.
 *
 * @throws SettingError that names the variable and what it must be.
 */
export function parseSettings(variables: Variables): Settings {
  const port = whole(variables, 'PORT', 3000, 1, 65_535);
  const url = publicUrl(variables, port);
  const dataDir = resolve(projectRoot(), text(variables, 'DATA_DIR') ?? '.data');
  const isProduction = variables.NODE_ENV === 'production';
  const jobsDriver = choice(variables, 'JOBS_DRIVER', ['embedded', 'inngest'], 'embedded');
  if (isProduction && jobsDriver === 'inngest') {
    assertInngestIsSigned(text(variables, 'INNGEST_DEV'), {
      INNGEST_SIGNING_KEY: text(variables, 'INNGEST_SIGNING_KEY'),
      INNGEST_EVENT_KEY: text(variables, 'INNGEST_EVENT_KEY'),
    });
  }
  const database = parseDatabaseUrl(text(variables, 'DATABASE_URL'));
  const keys = secretsKeys(variables, dataDir, database === null);
  const givenAuthSecret = authSecret(variables);
  return {
    isProduction,
    port,
    host: text(variables, 'HOST'),
    publicUrl: url,
    publicUrlIsGiven: text(variables, 'PUBLIC_URL') !== undefined,
    publicUrlIsPreset: !text(variables, 'PUBLIC_URL') && !text(variables, 'PORT'),
    databaseUrl: database,
    dataDir,
    databasePoolSize: whole(variables, 'DATABASE_POOL_SIZE', 10, 2, 1000),
    webProcesses: whole(variables, 'WEB_PROCESSES', 1, 1, 64),
    jobsDriver,
    inngestServeOrigin: serveOrigin(variables, url),
    callbackNetwork: choice(
      variables,
      'CALLBACK_NETWORK',
      ['public', 'local'],
      isLoopbackUrl(url) ? 'local' : 'public',
    ),
    coalesce: choice(variables, 'COALESCE', ['on', 'off'], 'on') === 'on',
    rateLimitPerSecond: whole(variables, 'RATE_LIMIT_PER_SECOND', 200, 1, 1_000_000),
    rateLimitBurst: whole(variables, 'RATE_LIMIT_BURST', 1000, 1, 10_000_000),
    failedAuthPerMinute: whole(variables, 'FAILED_AUTH_PER_MINUTE', 300, 1, 1_000_000),
    trustedProxyHops: whole(variables, 'TRUSTED_PROXY_HOPS', 0, 0, 10),
    secretsKeyFile: keys.file,
    get secretsKey() {
      return keys.current();
    },
    get openingKeys() {
      return [keys.current(), ...keys.previous];
    },
    get authSecret() {
      return givenAuthSecret ?? deriveAuthSecret(keys.current());
    },
    metricsToken: metricsToken(variables),
    metricsPort: whole(variables, 'METRICS_PORT', 0, 1, 65_535) || null,
    traces: parseTraceSettings((name) => text(variables, name)),
    logLevel: choice(variables, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    demoMerchant: choice(variables, 'DEMO_MERCHANT', ['on', 'off'], 'on') === 'on',
    operatorsNeedSecondFactor:
      choice(
        variables,
        'OPERATOR_SECOND_FACTOR',
        ['optional', 'required'],
        isLoopbackUrl(url) ? 'optional' : 'required',
      ) === 'required',
    hstsCoversSubdomains: choice(variables, 'HSTS_SUBDOMAINS', ['on', 'off'], 'off') === 'on',
    mail: parseMailSettings(text(variables, 'SMTP_URL'), text(variables, 'MAIL_FROM'), url),
    telegram: parseTelegramSettings((name) => text(variables, name)),
    providers: parseProviderSettings((name) => text(variables, name)),
    acquirerUrls: parseAcquirerUrls((name) => text(variables, name)),
  };
}

// Next reads `.env` files later; the values read first stay.
const held = processWide<{ settings?: Settings }>('settings', () => ({}));

/** The settings of this process, read on first use. */
export function settings(): Settings {
  held.settings ??= parseSettings(process.env);
  return held.settings;
}

/**
 * POSTGRES_BIN: the folder of the embedded PostgreSQL's programs, an absolute path; null, the
 * default, means those from npm. It is not among the settings, since benchmarks and tests start
 * PostgreSQL before they set theirs.
 */
export function postgresBin(): string | null {
  const folder = text(process.env, 'POSTGRES_BIN');
  return folder === undefined ? null : resolve(projectRoot(), folder);
}

/** What `gateway listen` and `gateway trigger` read from the environment. */
export function developerDefaults(): { baseUrl?: string; merchantId?: string; token?: string } {
  const baseUrl = text(process.env, 'GATEWAY_BASE_URL');
  const merchantId = text(process.env, 'GATEWAY_MERCHANT_ID');
  const token = text(process.env, 'GATEWAY_TOKEN');
  return {
    ...(baseUrl && { baseUrl }),
    ...(merchantId && { merchantId }),
    ...(token && { token }),
  };
}

/**
 * The system account of this process, or of the caller under `sudo`; null for one without a name,
 * as in some containers.
 */
export function systemUser(): string | null {
  try {
    // Only sudo sets this variable, so it is not a setting.
    return process.env.SUDO_USER || userInfo().username;
  } catch {
    return null;
  }
}

/** A child process's variables: ours and `extra`, which wins. */
export function childEnvironment(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  return { ...process.env, ...extra };
}
