import type { Pool } from 'pg';
import { openAccount, recordCall } from '../merchants/acquirer-accounts.ts';
import { demandRightClock } from './context.ts';
import { findAttemptAbout, isUnderWay } from './data.ts';
import { takeDispute } from './disputes/disputes.ts';
import type { HookAnswer, HookRequest, TakeRefund } from './provider.ts';
import { openAccountProvider } from './providers/registry.ts';
import { resumePayment } from './resume.ts';

/**
 * Answers an acquirer's call to the hook of an account, in the acquirer's own protocol.
 *
 * @param takeRefund what takes in the account's refunds
 * @returns null for an unknown account, or a disconnected one with nothing under way
 * @throws GatewayError `payment_not_begun`, with nothing done, where this process's clock is wrong
 */
export async function answerHook(
  db: Pool,
  { provider, accountId }: { provider: string; accountId: string },
  request: HookRequest,
  clock: () => Date,
  takeRefund: TakeRefund,
): Promise<HookAnswer | null> {
  const account = await openAccount(db, accountId);
  if (account?.provider !== provider) return null;
  if (account.disconnectedAtMs !== null && !(await isUnderWay(db, account.id))) return null;
  // The fault is ours: the acquirer calls again, and reaches a web whose clock is right.
  await demandRightClock(db);
  const opened = openAccountProvider(db, account, clock);
  const answer =
    opened.kind === 'inbound'
      ? await opened.handle(request, { takeRefund })
      : await opened.handle(request, {
          takeRefund,
          resume: async (about) => {
            const attempt = await findAttemptAbout(db, accountId, about);
            const options = { clock, actor: { type: 'buyer' } } as const;
            return attempt && (await resumePayment(db, attempt.id, options));
          },
          takeDispute: (seen) => takeDispute(db, accountId, seen, clock()),
        });
  await recordCall(db, account, answer.fault, clock());
  return answer;
}
