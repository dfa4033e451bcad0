import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { openPool } from '../db/pool.ts';
import { replaceDurably } from '../lib/durable-file.ts';
import { randomText } from '../lib/random-text.ts';
import { readMerchant } from '../merchants/data.ts';
import { createMerchant } from '../merchants/mutations.ts';

type Credentials = { apiToken: string; webhookSecret: string };

export type DemoMerchant = {
  merchantId: string;
  owner: { email: string; password: string };
  sandbox: Credentials;
  production: Credentials;
};

const FILE = 'demo-merchant.json';
const EMAIL_NAME = 'demo';
const EMAIL_DOMAIN = 'example.com';
const PASSWORD_LENGTH = 20;

/**
 * The merchant that a first start makes, so that there is something to try.
 *
 * The database keeps tokens and passwords as hashes only; what later starts print again stands in
 * `demo-merchant.json` in the data folder, readable for the owner of the process alone. No other
 * merchant's credentials are ever kept so.
 */
export async function ensureDemoMerchant(
  databaseUrl: string,
  dataDir: string,
  now: Date,
): Promise<DemoMerchant> {
  const pool = openPool(databaseUrl, 1);
  try {
    const kept = await readKept(dataDir);
    // Another database, or one that was emptied, knows nothing of it.
    if (kept && (await readMerchant(pool, kept.merchantId))) return kept;
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

/** An address without an account, since an account that exists keeps its unknown password. */
async function freeEmail(pool: pg.Pool): Promise<string> {
  const plain = `${EMAIL_NAME}@${EMAIL_DOMAIN}`;
  const { rowCount } = await pool.query('SELECT FROM users WHERE email = $1', [plain]);
  return rowCount === 0 ? plain : `${EMAIL_NAME}-${randomBytes(4).toString('hex')}@${EMAIL_DOMAIN}`;
}

async function readKept(dataDir: string): Promise<DemoMerchant | null> {
  try {
    return JSON.parse(await readFile(path.join(dataDir, FILE), 'utf8')) as DemoMerchant;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function keep(dataDir: string, demo: DemoMerchant): void {
  replaceDurably(path.join(dataDir, FILE), `${JSON.stringify(demo, null, 2)}\n`);
}
