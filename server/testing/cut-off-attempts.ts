import type { Pool } from 'pg';
import { newId } from '../lib/ids.ts';
import type { Tenant } from '../merchants/types.ts';
import { claimCapture, openAttempt } from '../payments/mutations.ts';
import { SandboxAcquirer } from '../payments/providers/sandbox/sandbox.ts';
import { testCardFor } from '../payments/providers/sandbox/test-cards.ts';
import { createTestInvoice } from './invoices.ts';
import { cardWith, RETURN_URL } from './payments.ts';

const CARD = { cardBrand: 'visa', cardLast4: '4242' } as const;

type Attempt = { id: string; invoiceId: string };

/** An attempt whose process died right after opening it, on a new invoice. */
export async function openedAttempt(pool: Pool, tenant: Tenant, now: Date): Promise<Attempt> {
  const invoiceId = await createTestInvoice(pool, tenant, { now });
  const id = newId('pay', now.getTime());
  await openAttempt(pool, { id, invoiceId, provider: 'sandbox', ...CARD }, now);
  return { id, invoiceId };
}

/** An attempt whose process died right after claiming its capture. */
export async function claimedAttempt(pool: Pool, tenant: Tenant, now: Date): Promise<Attempt> {
  const attempt = await openedAttempt(pool, tenant, now);
  const answer = await new SandboxAcquirer(pool).authorise(
    {
      idempotencyKey: attempt.id,
      amountMinor: 1500n,
      currency: 'USD',
      card: cardWith(testCardFor('approved').number),
      returnUrl: RETURN_URL,
    },
    now,
  );
  if (answer.state !== 'approved') throw new Error(answer.state);
  await claimCapture(pool, attempt.id, answer.authorisationId, now);
  return attempt;
}
