import { SEAL_CONTEXTS } from '../lib/encrypt.ts';

/** A column of sealed values: its place, and the context that binds each value. */
export type SealedColumn = {
  table: 'signing_secrets' | 'users' | 'acquirer_accounts';
  column: 'sealed' | 'totp_secret' | 'totp_pending' | 'credentials';
  context: string;
  contextOf: (row: SealedRow) => string;
};

export type SealedRow = { id: string; sealed: Buffer; first: string; second: string };

/** Everything that is sealed in the database. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'signing_secrets',
    column: 'sealed',
    context: 'merchant_id AS first, environment::text AS second',
    contextOf: ({ first, second }) => SEAL_CONTEXTS.signingSecret(first, second),
  },
  ...(['totp_secret', 'totp_pending'] as const).map((column) => ({
    table: 'users' as const,
    column,
    context: `id AS first, '' AS second`,
    contextOf: ({ first }: SealedRow) => SEAL_CONTEXTS.totp(first),
  })),
  {
    table: 'acquirer_accounts',
    column: 'credentials',
    context: `id AS first, '' AS second`,
    contextOf: ({ first }) => SEAL_CONTEXTS.acquirerAccount(first),
  },
];
