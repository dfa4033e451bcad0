import { getPool } from '../db/pool.ts';
import { systemClock } from '../lib/clock.ts';
import { log } from '../observability/log.ts';
import { answerHook } from '../payments/hooks.ts';
import type { SeenRefund } from '../payments/provider.ts';
import { takeRefund } from '../refunds/take.ts';
import { CALLER_LEFT } from './answers.ts';
import { requestIdOf } from './request-id.ts';
import type { RestRequest, RestResponse } from './types.ts';

const PATH = /^\/api\/acquirers\/([a-z]+)\/(acq_[0-9a-z]{35})$/;
const LIMIT_BYTES = 64 * 1024;

type Content = { status: number; contentType: string; body: string };

const refusal = (status: number, body: string): Content => ({
  status,
  contentType: 'text/plain; charset=utf-8',
  body,
});

/**
 * Answers an acquirer's call to `/api/acquirers/{provider}/{account}` in its own protocol. An unknown
 * account is 404 without a word, and a body beyond 64 KiB 413. A fault of ours is 500, after which
 * acquirers come again.
 */
export async function handleAcquirerCall(request: RestRequest): Promise<RestResponse> {
  const requestId = requestIdOf(request.header('x-request-id'));
  const { status, contentType, body } = await contentOf(request, requestId);
  const headers = {
    'content-type': contentType,
    'cache-control': 'no-store',
    'x-request-id': requestId,
  };
  return { status, headers, body };
}

async function contentOf(request: RestRequest, requestId: string): Promise<Content> {
  const [, provider = '', accountId = ''] = PATH.exec(request.path) ?? [];
  if (accountId === '') return refusal(404, '');
  const body = await request.readBody(LIMIT_BYTES).catch(() => undefined);
  // The caller left, so nobody reads this.
  if (body === undefined) return refusal(CALLER_LEFT.status, '');
  if (body === null) return refusal(413, 'Too long');
  const { method } = request;
  try {
    const call = { method, header: (name: string) => request.header(name), body };
    const db = getPool();
    const take = (seen: SeenRefund) => takeRefund(db, accountId, seen, systemClock);
    const found = await answerHook(db, { provider, accountId }, call, systemClock, take);
    if (!found) return refusal(404, '');
    return found;
  } catch (error) {
    log().error({ err: error, requestId, provider, accountId }, 'an acquirer’s call failed');
    return refusal(500, 'Internal server error');
  }
}
