import type { Pool } from 'pg';
import { inTransaction, type Queryable } from '../../db/pool.ts';
import { GatewayError } from '../../lib/errors.ts';
import type { AccountFault } from '../../merchants/account-faults.ts';
import {
  type AcquirerAccount,
  type AcquirerCredentials,
  findAccount,
  insertAccount,
  listAccounts,
  listDown,
  markDisconnected,
  type OpenAccount,
  openAccount,
  recordCheck,
  setEnabled,
  setOrder,
} from '../../merchants/acquirer-accounts.ts';
import { type AuditActor, recordAudit } from '../../merchants/audit.ts';
import { lockMerchant } from '../../merchants/lock.ts';
import { checkName } from '../../merchants/mutations.ts';
import type { Environment, Tenant } from '../../merchants/types.ts';
import { log } from '../../observability/log.ts';
import type { CredentialField } from '../provider.ts';
import type { AccountProvider } from '../providers/account-providers.ts';
import { causeOf } from '../providers/acquirer-client.ts';
import { accountProviderOf } from '../providers/registry.ts';

type By = { actor: AuditActor; now: Date };

/**
 * The values that a provider wants, picked from the given ones.
 *
 * @throws GatewayError `credential_missing`, `credential_invalid`, `credential_unknown` or, for a
 *   value of the other environment, `credential_misplaced`; each names the field and never its value
 */
export function readCredentials(
  fields: readonly CredentialField[],
  given: Readonly<Record<string, unknown>>,
  environment: Environment,
): AcquirerCredentials {
  const known = new Set(fields.map(({ name }) => name));
  for (const name of Object.keys(given)) {
    if (!known.has(name)) throw new GatewayError('credential_unknown', { name });
  }
  const credentials: Record<string, string> = {};
  for (const { name, isRequired, preset, pattern, marks } of fields) {
    const value = given[name] ?? '';
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text !== 'string') throw new GatewayError('credential_invalid', { name });
    const trimmed = text.trim() || preset;
    if (trimmed === undefined) {
      if (isRequired) throw new GatewayError('credential_missing', { name });
      continue;
    }
    if (trimmed.length > 500 || (pattern && !pattern.test(trimmed))) {
      throw new GatewayError('credential_invalid', { name });
    }
    if (marks && !marks[environment].test(trimmed)) {
      throw new GatewayError('credential_misplaced', { name });
    }
    credentials[name] = trimmed;
  }
  return credentials;
}

/**
 * Connects a merchant's account at an acquirer. Buyers are offered it at once, after the existing
 * accounts.
 *
 * @param request.credentials as the merchant entered them, by the names of `CredentialField`
 * @throws GatewayError for an unknown merchant or provider, and for invalid credentials
 */
export async function connectAccount(
  pool: Pool,
  request: By & {
    merchantId: string;
    environment: Environment;
    provider: string;
    name?: string;
    credentials: Readonly<Record<string, unknown>>;
  },
): Promise<AcquirerAccount> {
  const { merchantId, environment, provider, actor, now } = request;
  const entry = accountProviderOf(provider);
  if (!entry) throw new GatewayError('acquirer_unknown', { provider });
  const credentials = readCredentials(entry.credentials, request.credentials, environment);
  const name = checkName(request.name?.trim() || entry.traits.title, 'acquirer_name_invalid');
  return await inTransaction(pool, async (db) => {
    if (!(await lockMerchant(db, merchantId))) {
      throw new GatewayError('merchant_unknown', { merchantId });
    }
    const account = { merchantId, environment, provider, name, credentials };
    const id = await insertAccount(db, account, now);
    await recordAudit(db, {
      actor,
      now,
      action: 'acquirer.connect',
      merchantId,
      environment,
      target: { type: 'acquirer_account', id },
      details: { provider, name },
    });
    return await demandAccount(db, id);
  });
}

/**
 * Lets a tenant use only its own accounts.
 *
 * @throws GatewayError `acquirer_account_not_found` for another merchant's or environment's
 */
export async function checkOwner(
  db: Queryable,
  { merchantId, environment }: Tenant,
  id: string,
): Promise<void> {
  const account = await findAccount(db, id);
  if (account?.merchantId === merchantId && account.environment === environment) return;
  throw new GatewayError('acquirer_account_not_found');
}

async function demandAccount(db: Queryable, id: string): Promise<AcquirerAccount> {
  const account = await findAccount(db, id);
  if (!account) throw new GatewayError('acquirer_account_not_found');
  return account;
}

const CHANGES = {
  enable: (db: Queryable, id: string) => setEnabled(db, id, true),
  disable: (db: Queryable, id: string) => setEnabled(db, id, false),
  disconnect: markDisconnected,
};
export type AccountChange = keyof typeof CHANGES;

/**
 * Switches an account on or off, or disconnects it for good.
 *
 * @returns the account afterwards, and whether this call changed it
 * @throws GatewayError `acquirer_account_not_found`, or `acquirer_account_disconnected` for one
 *   that can no longer be switched
 */
export async function changeAccount(
  pool: Pool,
  id: string,
  change: AccountChange,
  { actor, now }: By,
): Promise<{ account: AcquirerAccount; isChanged: boolean }> {
  return await inTransaction(pool, async (db) => {
    const before = await demandAccount(db, id);
    if (before.disconnectedAtMs !== null && change !== 'disconnect') {
      throw new GatewayError('acquirer_account_disconnected');
    }
    const isChanged = await CHANGES[change](db, id, now);
    const { merchantId, environment, provider, name } = before;
    if (isChanged) {
      await recordAudit(db, {
        actor,
        now,
        action: `acquirer.${change}`,
        merchantId,
        environment,
        target: { type: 'acquirer_account', id },
        details: { provider, name },
      });
    }
    return { account: await demandAccount(db, id), isChanged };
  });
}

/**
 * Puts a merchant's accounts into the order in which buyers are offered them.
 *
 * @param ids all connected accounts, each once
 * @throws GatewayError `acquirer_order_outdated` when other accounts are connected now
 */
export async function orderAccounts(
  pool: Pool,
  owner: { merchantId: string; environment: Environment },
  ids: readonly string[],
  { actor, now }: By,
): Promise<void> {
  await inTransaction(pool, async (db) => {
    await lockMerchant(db, owner.merchantId);
    const connected = await listAccounts(db, owner);
    const isWhole = connected.length === ids.length && new Set(ids).size === ids.length;
    if (!isWhole || (await setOrder(db, owner, ids)) !== ids.length) {
      throw new GatewayError('acquirer_order_outdated');
    }
    await recordAudit(db, { actor, now, action: 'acquirer.order', ...owner });
  });
}

/**
 * Tries an account's credentials where the acquirer can be asked, and stores the result. The last
 * call of an acquirer that only calls us decides.
 *
 * @returns the account with its new `checkedAtMs` and `checkFault`
 * @throws GatewayError `acquirer_account_not_found`
 */
export async function checkAccount(pool: Pool, id: string, now: Date): Promise<AcquirerAccount> {
  const account = await openAccount(pool, id);
  if (!account) throw new GatewayError('acquirer_account_not_found');
  const check = accountProviderOf(account.provider)?.check;
  const fault = check ? await checkedAt(check, account, now) : account.callFault;
  await recordCheck(pool, id, fault, now);
  return await demandAccount(pool, id);
}

/** Whether an account is known to work. Nobody can ask an acquirer that only calls. */
export function isProven(
  account: Pick<
    AcquirerAccount,
    'provider' | 'checkedAtMs' | 'checkFault' | 'calledAtMs' | 'callFault'
  >,
): boolean {
  const { provider, checkedAtMs, checkFault, calledAtMs, callFault } = account;
  const triedAtMs = accountProviderOf(provider)?.check ? checkedAtMs : calledAtMs;
  return triedAtMs !== null && checkFault === null && callFault === null;
}

/** An unreachable acquirer is a fault of the check as well. */
async function checkedAt(
  check: NonNullable<AccountProvider['check']>,
  account: OpenAccount,
  now: Date,
): Promise<AccountFault | null> {
  try {
    return await check(account, now);
  } catch (error) {
    log().warn({ err: error, account: account.id }, 'an acquirer account could not be checked');
    return { code: 'not_reachable', detail: causeOf(error) };
  }
}

/**
 * Asks the acquirers of accounts that are down whether they answer again: one answer ends that, and
 * no buyer has to try it out.
 *
 * @returns how many were asked
 */
export async function askDownAccounts(
  pool: Pool,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const ids = await listDown(pool, limit);
  const ask = async (id: string) => {
    const account = await openAccount(pool, id);
    const check = account && accountProviderOf(account.provider)?.check;
    if (check) await check(account, now);
  };
  // Its failures are in the account's row.
  await Promise.allSettled(ids.map(ask));
  return ids.length;
}
