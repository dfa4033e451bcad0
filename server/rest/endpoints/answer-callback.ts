import { classify } from '../../callbacks/outcome.ts';
import { parseRetryAfterMs, retryDelayMs, stepOf } from '../../callbacks/schedule.ts';
import { answerForward, type ForwardAnswer } from '../../callbacks/tools/listen.ts';
import { parseBody } from '../../wire/invoice-requests.ts';
import { forwardAnswerRequest } from '../../wire/listen.ts';
import { invalid, NOT_WAITING, success } from '../answers.ts';
import type { Answer, AuthenticatedRequest, Endpoint, RestContext } from '../types.ts';
import { canExist } from './named-invoice.ts';

async function handle(context: RestContext, request: AuthenticatedRequest): Promise<Answer> {
  const parsed = parseBody(forwardAnswerRequest, request.body, request.header('content-type'));
  if (!parsed.ok) return invalid(parsed.detail);
  const { value } = parsed;
  if (!canExist(value.forward_id)) return NOT_WAITING;
  const { tenant, now } = request;
  const answer: ForwardAnswer = {
    durationMs: value.duration_ms,
    httpStatus: value.http_status ?? null,
    body: Buffer.from(value.body_base64 ?? '', 'base64'),
    failure: value.failure ?? null,
    retryAfter: value.retry_after ?? null,
    location: value.location ?? null,
  };
  const forwardId = value.forward_id;
  const answered = await answerForward(context.db, tenant, { forwardId, answer, now });
  if (answered === null) return NOT_WAITING;
  // The worker that makes the attempt judges it in the same way.
  const outcome = classify({ startedAt: now, ...answer });
  const retryAfterMs = parseRetryAfterMs(answer.retryAfter, now);
  return success(
    JSON.stringify({
      attempt: answered.attempt,
      delivered: outcome.delivered,
      reason: outcome.delivered ? null : outcome.reason,
      next_attempt_in_ms: outcome.delivered
        ? null
        : retryDelayMs(stepOf(answered), { retryAfterMs, random: 0 }),
    }),
  );
}

/** `POST /test/callback/answer`: compares a listener's answer with the contract. */
export const answerCallbackEndpoint: Endpoint = {
  method: 'POST',
  scope: 'sandbox',
  sandboxOnly: true,
  isToolsOwn: true,
  handle,
};
