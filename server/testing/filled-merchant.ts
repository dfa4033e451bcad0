import type pg from 'pg';
import { notificationId } from '../callbacks/enqueue.ts';
import { setEventAddress } from '../events/address.ts';
import { PRESET_EVENT_TYPES } from '../events/types.ts';
import { recordAudit } from '../merchants/audit.ts';
import type { NewMerchant } from '../merchants/mutations.ts';
import { grantTenant } from '../merchants/tenant.ts';
import { connectAccount } from '../payments/accounts/accounts.ts';
import { keepDifferences } from '../payments/books/differences.ts';
import { payInSandbox } from '../payments/providers/sandbox/sandbox-drive.ts';
import { saveView } from '../staff/saved-views.ts';
import { insertDue } from './callbacks.ts';
import { createTestInvoice } from './invoices.ts';
import { createTestLink } from './links.ts';
import type { KnownValues } from './procedure-inputs.ts';

const CALLBACK_URL = 'http://victim-shop.example/secret-path';

/** Inserts a callback that failed for good; returns its invoice's id. */
async function insertFailed(pool: pg.Pool, merchantId: string, now: Date): Promise<string> {
  const [id = ''] = await insertDue(pool, { merchantId, url: CALLBACK_URL, at: now });
  await pool.query(
    `WITH attempt AS (
       INSERT INTO callback_attempts (callback_id, number, started_at, duration_ms, http_status,
         delivered, reason, trigger)
       VALUES (${notificationId('$1::text')}, 1, $2, 5, 500, false, 'answered 500', 'schedule')
     ), named AS (
       UPDATE invoices SET merchant_transaction_id = 'order-of-victim' WHERE id = $1)
     UPDATE callbacks SET state = 'exhausted', host = 'victim-shop.example', attempt_count = 1,
       last_reason = 'answered 500', last_http_status = 500
     WHERE invoice_id = $1`,
    [id, now.toISOString()],
  );
  return id;
}

async function insertRequests(
  pool: pg.Pool,
  { merchantId, tokenId, invoiceId }: { merchantId: string; tokenId: string; invoiceId: string },
  now: Date,
): Promise<void> {
  await pool.query(
    `INSERT INTO api_requests (at, merchant_id, environment, token_id, request_id, method, path,
       status, duration_ms, invoice_id, merchant_transaction_id)
     SELECT $1, $2, 'sandbox', $3, 'req_victim', 'POST', '/api/sandbox/invoice/create', status, 1,
       $4, 'order-of-victim'
     FROM unnest(ARRAY[200, 422, 500]) status`,
    [now.toISOString(), merchantId, tokenId, invoiceId],
  );
}

async function insertDispute(
  pool: pg.Pool,
  { accountId, invoiceId }: { accountId: string; invoiceId: string },
  now: Date,
): Promise<void> {
  await pool.query(
    `INSERT INTO disputes (account_id, id, attempt_id, invoice_id, amount_minor, currency, reason,
       status, created_at, updated_at)
     SELECT $1, 'du_victim', id, invoice_id, amount_minor, currency, 'fraudulent',
       'needs_response', $3, $3
     FROM payment_attempts WHERE invoice_id = $2 AND status = 'captured'`,
    [accountId, invoiceId, now.toISOString()],
  );
}

/** What differs between our books and an acquirer's. @returns the difference's id */
async function insertDifference(
  pool: pg.Pool,
  { accountId, invoiceId }: { accountId: string; invoiceId: string },
  now: Date,
): Promise<string | undefined> {
  const difference = { kind: 'payment', what: 'missing_here', ours: null, theirs: null } as const;
  const ids = { ourId: null, acquirerId: 'payment-of-victim', invoiceId };
  await keepDifferences(pool, accountId, [{ ...difference, ...ids, atMs: now.getTime() }], now);
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM book_differences WHERE account_id = $1',
    [accountId],
  );
  return rows[0]?.id;
}

/**
 * Fills each list of the dashboard for a merchant's sandbox: a paid invoice, one whose callback
 * failed, requests, a dispute, a difference of books, an entry in the audit log.
 *
 * @returns `marks`, one of which is in every answer about them, and the inputs that find them
 */
export async function fillMerchant(
  pool: pg.Pool,
  { merchantId, owner }: NewMerchant,
  now: Date,
): Promise<{ marks: string[]; known: KnownValues }> {
  const failedId = await insertFailed(pool, merchantId, now);
  const tenant = grantTenant(merchantId, 'sandbox');
  const invoice = { amountMinor: 987_654_321, callbackUrl: CALLBACK_URL, now };
  const paidId = await createTestInvoice(pool, tenant, invoice);
  await payInSandbox(pool, tenant, paidId, {
    outcome: 'approved',
    clock: () => now,
    actor: { type: 'test' },
    onLateError: () => undefined,
  });
  const { rows } = await pool.query<{ id: string; secret_id: string }>(
    `SELECT t.id, s.id AS secret_id FROM api_tokens t JOIN signing_secrets s USING (merchant_id)
     WHERE merchant_id = $1 AND t.environment = 'sandbox' AND s.environment = 'sandbox'`,
    [merchantId],
  );
  const { id: tokenId = '', secret_id: secretId = '' } = rows[0] ?? {};
  await insertRequests(pool, { merchantId, tokenId, invoiceId: failedId }, now);
  const actor = { type: 'staff', id: owner.userId, label: owner.email } as const;
  const { id: accountId } = await connectAccount(pool, {
    merchantId,
    environment: 'sandbox',
    provider: 'payme',
    credentials: { merchant_id: 'victim', key: 'key-of-victim' },
    actor,
    now,
  });
  await insertDispute(pool, { accountId, invoiceId: paidId }, now);
  const differenceId = await insertDifference(pool, { accountId, invoiceId: failedId }, now);
  const address = { url: CALLBACK_URL, types: PRESET_EVENT_TYPES, network: 'public' } as const;
  await setEventAddress(pool, tenant, { ...address, actor, now });
  const { id: linkId } = await createTestLink(pool, tenant, { now });
  await pool.query(
    `INSERT INTO payment_link_uses (invoice_id, link_id, quantity)
     SELECT unnest($1::text[]), $2, 1`,
    [[failedId, paidId], linkId],
  );
  const view = { list: 'invoices', name: 'View of Victim', query: 'status=PAID', now } as const;
  const { id: viewId } = await saveView(pool, { tenant, userId: owner.userId }, view);
  await recordAudit(pool, { actor, now, action: 'x', merchantId });
  return {
    marks: [
      failedId,
      paidId,
      tokenId,
      secretId,
      accountId,
      linkId,
      viewId,
      'victim-shop',
      'req_victim',
      '987654321',
    ],
    known: {
      invoiceId: [failedId],
      named: [failedId],
      invoiceIds: [[failedId]],
      names: [[failedId]],
      tokenId: [tokenId],
      accountId: [accountId],
      linkId: [linkId],
      viewId: [viewId],
      differenceId: [differenceId],
      endsSecretId: [secretId],
      search: [failedId, 'order-of-victim', 'req_victim', '9876543.21', '4242', 'Victim'],
      host: ['victim-shop.example'],
      person: [owner.userId],
      action: ['x'],
      operator: ['test'],
      deed: ['merchant.create'],
      merchant: ['Victim'],
      endpoint: ['/invoice/create'],
      httpClass: [5],
    },
  };
}
