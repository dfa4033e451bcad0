import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { openPool } from '../db/pool.ts';
import { hashToken } from '../lib/opaque-token.ts';
import { randomText } from '../lib/random-text.ts';
import { readMerchant } from '../merchants/data.ts';
import { type Credentials, createMerchant } from '../merchants/mutations.ts';
import { datedSigningSecrets } from '../merchants/signing-secrets.ts';
import type { Environment } from '../merchants/types.ts';
import { replaceDurably } from '../settings/durable-file.ts';
import { verifyPassword } from '../staff/password-hash.ts';

/** The merchant as it was made. */
type KeptMerchant = {
  merchantId: string;
  owner: { email: string; password: string };
} & Record<Environment, Credentials>;

type ValidCredentials = { [Name in keyof Credentials]: string | null };

/** Fields that somebody has changed since are null. */
export type DemoMerchant = {
  merchantId: string;
  owner: { email: string; password: string | null };
} & Record<Environment, ValidCredentials>;

const FILE = 'demo-merchant.json';
const EMAIL_NAME = 'demo';
const EMAIL_DOMAIN = 'example.com';
const PASSWORD_LENGTH = 20;

/**
 * The merchant that a first start makes for trying things out.
 *
 * The database keeps tokens and passwords only as hashes. `demo-merchant.json` in the data folder,
 * readable only for the process's owner, holds what later starts print again as far as it is still
 * valid. No other merchant's credentials are ever kept so.
 */
export async function ensureDemoMerchant(
  databaseUrl: string,
  dataDir: string,
  now: Date,
): Promise<DemoMerchant> {
  const pool = openPool(databaseUrl, 1);
  try {
    const kept = await readKept(dataDir);
    // Another database, or an emptied one, does not have this merchant.
    if (kept && (await readMerchant(pool, kept.merchantId))) return await validOf(pool, kept);
    const ownerEmail = await freeEmail(pool);
    const actor = { type: 'operator', id: null, label: 'first start' } as const;
    const password = randomText(PASSWORD_LENGTH);
    const { merchantId, owner, sandbox, production } = await createMerchant(pool, {
      name: 'Demo merchant',
      ownerEmail,
      ownerPassword: password,
      actor,
      now,
    });
    const demo = { merchantId, owner: { email: owner.email, password }, sandbox, production };
    keep(dataDir, demo);
    return demo;
  } finally {
    await pool.end();
  }
}

/** The values that are still valid: staff can change these credentials like any other's. */
async function validOf(pool: pg.Pool, kept: KeptMerchant): Promise<DemoMerchant> {
  const { merchantId, owner } = kept;
  const credentialsOf = async (environment: Environment): Promise<ValidCredentials> => {
    const { apiToken, webhookSecret } = kept[environment];
    // A token with an expiry is on its way out after a rotation.
    const { rowCount } = await pool.query(
      'SELECT FROM api_tokens WHERE token_hash = $1 AND deactivated_at IS NULL AND expires_at IS NULL',
      [hashToken(apiToken)],
    );
    const secrets = await datedSigningSecrets(pool, { merchantId, environment });
    const signs = secrets.some((each) => each.secret === webhookSecret && each.expiresAt === null);
    return {
      apiToken: rowCount === 1 ? apiToken : null,
      webhookSecret: signs ? webhookSecret : null,
    };
  };
  const { rows } = await pool.query<{ password_hash: string | null }>(
    'SELECT password_hash FROM users WHERE email = $1',
    [owner.email],
  );
  const stored = rows[0]?.password_hash ?? null;
  const opens = (await verifyPassword(stored, owner.password)) === 'right';
  return {
    merchantId,
    owner: { email: owner.email, password: opens ? owner.password : null },
    sandbox: await credentialsOf('sandbox'),
    production: await credentialsOf('production'),
  };
}

/** An address without an account, since an existing account keeps its unknown password. */
async function freeEmail(pool: pg.Pool): Promise<string> {
  const plain = `${EMAIL_NAME}@${EMAIL_DOMAIN}`;
  const { rowCount } = await pool.query('SELECT FROM users WHERE email = $1', [plain]);
  return rowCount === 0 ? plain : `${EMAIL_NAME}-${randomBytes(4).toString('hex')}@${EMAIL_DOMAIN}`;
}

async function readKept(dataDir: string): Promise<KeptMerchant | null> {
  try {
    return JSON.parse(await readFile(path.join(dataDir, FILE), 'utf8')) as KeptMerchant;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function keep(dataDir: string, demo: KeptMerchant): void {
  replaceDurably(path.join(dataDir, FILE), `${JSON.stringify(demo, null, 2)}\n`);
}
