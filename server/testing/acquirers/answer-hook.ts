import type { Pool } from 'pg';
import { answerHook } from '../../payments/hooks.ts';
import type { HookAnswer, HookRequest, SeenRefund } from '../../payments/provider.ts';
import { takeRefund } from '../../refunds/take.ts';

/** Answers an acquirer's call as the door for acquirers does, over a test's database and clock. */
export function answerAcquirer(
  db: Pool,
  where: { provider: string; accountId: string },
  request: HookRequest,
  clock: () => Date,
): Promise<HookAnswer | null> {
  const take = (seen: SeenRefund) => takeRefund(db, where.accountId, seen, clock);
  return answerHook(db, where, request, clock, take);
}
