import type { Pool } from 'pg';
import type { Environment } from '../merchants/types.ts';
import { type AccountResults, type Rate, readRates, shareOf } from './rates.ts';

/** An account's results, with its names. Without a name it is the sandbox's own card form. */
export type AccountLine = AccountResults & {
  name: string | null;
  merchantName: string;
  downSinceMs: number | null;
};

/** An acquirer's results over all of its accounts, and each of them, the worst first. */
export type AcquirerLine = Omit<AccountResults, 'accountId' | 'merchantId'> & {
  accounts: AccountLine[];
  /** How many accounts are left out. */
  more: number;
};

const ACCOUNTS_SHOWN = 50;

type Row = {
  id: string;
  provider: string;
  name: string;
  merchant_id: string;
  down_since: Date | null;
};

const ACCOUNTS = `
  SELECT id, provider, name, merchant_id, down_since FROM acquirer_accounts
  WHERE environment = $1::environment AND (disconnected_at IS NULL OR id = ANY ($2)) LIMIT 10000`;

const zero = (): Rate => ({ day: { good: 0, bad: 0 }, week: { good: 0, bad: 0 } });
const NOTHING = { declined: 0, failed: 0, unknown: 0, medianMs: null };

/** Those that are down first, then the lowest share; those without results come last. */
function rankOf({ downSinceMs, approval }: AccountLine): number {
  return downSinceMs === null ? (shareOf(approval.day) ?? 2) : -1;
}

function sumOf(
  accounts: readonly AccountLine[],
): Pick<AcquirerLine, 'approval' | 'declined' | 'failed' | 'unknown'> {
  const sum = { approval: zero(), declined: 0, failed: 0, unknown: 0 };
  for (const { approval, declined, failed, unknown } of accounts) {
    for (const span of ['day', 'week'] as const) {
      sum.approval[span].good += approval[span].good;
      sum.approval[span].bad += approval[span].bad;
    }
    sum.declined += declined;
    sum.failed += failed;
    sum.unknown += unknown;
  }
  return sum;
}

/** What became of payments by acquirer and account in one environment: those worse off first. */
export async function listAcquirers(
  pool: Pool,
  asked: { environment: Environment; now: Date },
): Promise<AcquirerLine[]> {
  const { accounts, mediansMs } = await readRates(pool, asked);
  const known = accounts.flatMap(({ accountId }) => (accountId === null ? [] : [accountId]));
  const { rows } = await pool.query<Row>(ACCOUNTS, [asked.environment, known]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const seen = new Set(known);
  const quiet = rows
    .filter(({ id }) => !seen.has(id))
    .map(({ id, provider, merchant_id }) => ({
      ...{ provider, accountId: id, merchantId: merchant_id, approval: zero(), ...NOTHING },
    }));
  const all = [...accounts, ...quiet];
  const { rows: merchants } = await pool.query<{ id: string; name: string }>(
    'SELECT id, name FROM merchants WHERE id = ANY ($1)',
    [[...new Set(all.map(({ merchantId }) => merchantId))]],
  );
  const names = new Map(merchants.map(({ id, name }) => [id, name]));
  const byProvider = new Map<string, AccountLine[]>();
  for (const each of all) {
    const row = each.accountId === null ? undefined : byId.get(each.accountId);
    const line = {
      ...each,
      name: row?.name ?? null,
      merchantName: names.get(each.merchantId) ?? each.merchantId,
      downSinceMs: row?.down_since?.getTime() ?? null,
    };
    byProvider.set(each.provider, [...(byProvider.get(each.provider) ?? []), line]);
  }
  return [...byProvider]
    .map(([provider, lines]) => ({
      provider,
      ...sumOf(lines),
      medianMs: mediansMs.get(provider) ?? null,
      accounts: lines.sort((a, b) => rankOf(a) - rankOf(b)).slice(0, ACCOUNTS_SHOWN),
      more: Math.max(0, lines.length - ACCOUNTS_SHOWN),
    }))
    .sort((a, b) => (shareOf(a.approval.day) ?? 2) - (shareOf(b.approval.day) ?? 2));
}
