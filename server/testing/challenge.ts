import type { Pool } from 'pg';
import type { Tenant } from '../merchants/types.ts';
import { payInvoice } from '../payments/pay.ts';
import { CHALLENGED_CARD } from './fake-acquirer.ts';
import { createTestInvoice } from './invoices.ts';
import { cardWith } from './payments.ts';

/** An invoice that a buyer pays with a card of the fake acquirer's that waits for 3-D Secure. */
export async function openChallenge(
  pool: Pool,
  tenant: Tenant,
  { now, endsAfterMs = 3_600_000 }: { now: Date; endsAfterMs?: number },
): Promise<{ invoiceId: string; attemptId: string }> {
  const invoiceId = await createTestInvoice(pool, tenant, {
    now,
    endDateMs: now.getTime() + endsAfterMs,
  });
  const paid = await payInvoice(pool, invoiceId, cardWith(CHALLENGED_CARD), {
    clock: () => now,
    actor: { type: 'buyer' },
    waitMs: 10_000,
    onLateError: (error) => {
      throw error;
    },
  });
  if (paid.outcome !== 'attempted') throw new Error(paid.outcome);
  const { id, status, provider } = paid.attempt;
  if (status !== 'challenge' || provider !== 'fake') throw new Error(`${status} by ${provider}`);
  return { invoiceId, attemptId: id };
}
