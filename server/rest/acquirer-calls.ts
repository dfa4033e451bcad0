import { getPool } from '../db/pool.ts';
import { systemClock } from '../lib/clock.ts';
import { log } from '../observability/log.ts';
import { answerHook } from '../payments/hooks.ts';
import type { SeenRefund } from '../payments/provider.ts';
import { takeRefund } from '../refunds/take.ts';
import type { RestRequest, RestResponse } from './types.ts';

const PATH = /^\/api\/acquirers\/([a-z]+)\/(acq_[0-9a-z]{35})$/;
const LIMIT_BYTES = 64 * 1024;

function answer(status: number, contentType: string, body: string): RestResponse {
  return { status, headers: { 'content-type': contentType, 'cache-control': 'no-store' }, body };
}

const refuse = (status: number, text: string) => answer(status, 'text/plain; charset=utf-8', text);

/**
 * Answers an acquirer's call to `/api/acquirers/{provider}/{account}` in its own protocol. An unknown
 * account is 404 without a word, and a body beyond 64 KiB 413. A fault of ours is 500, after which
 * acquirers come again.
 */
export async function handleAcquirerCall(request: RestRequest): Promise<RestResponse> {
  const [, provider = '', accountId = ''] = PATH.exec(request.path) ?? [];
  if (accountId === '') return refuse(404, '');
  const body = await request.readBody(LIMIT_BYTES);
  if (body === null) return refuse(413, 'Too long');
  const { method } = request;
  try {
    const call = { method, header: (name: string) => request.header(name), body };
    const db = getPool();
    const take = (seen: SeenRefund) => takeRefund(db, accountId, seen, systemClock);
    const found = await answerHook(db, { provider, accountId }, call, systemClock, take);
    if (!found) return refuse(404, '');
    return answer(found.status, found.contentType, found.body);
  } catch (error) {
    log().error({ err: error, provider, accountId }, 'an acquirer’s call failed');
    return refuse(500, 'Internal server error');
  }
}
