import { setTimeout as sleep } from 'node:timers/promises';
import { headerPairs } from '../../callbacks/http/request-headers.ts';
import { keepListening, type TakenForward, takeForwards } from '../../callbacks/tools/listen.ts';
import { parseBody } from '../../wire/invoice-requests.ts';
import { listenRequest } from '../../wire/listen.ts';
import { invalid, LISTENER_REPLACED, success } from '../answers.ts';
import type { Answer, AuthenticatedRequest, Endpoint, RestContext } from '../types.ts';

// Shorter than the time that an ending process gives its requests.
const WAIT_MS = 4_000;
const LOOK_EVERY_MS = 100;

/** Each merchant's poll that waits in this process. */
const waiting = new Map<string, AbortController>();

/**
 * Looks until there is something, the time is over or another poll of the same merchant comes: only
 * one of many concurrent polls asks the database.
 */
async function waitFor(
  merchantId: string,
  waitMs: number,
  look: () => Promise<TakenForward[]>,
): Promise<TakenForward[]> {
  const poll = new AbortController();
  waiting.set(merchantId, poll);
  const deadline = performance.now() + waitMs;
  let taken: TakenForward[] = [];
  try {
    while (!poll.signal.aborted && performance.now() < deadline) {
      taken = await look();
      if (taken.length > 0) break;
      await sleep(LOOK_EVERY_MS, undefined, { signal: poll.signal }).catch(() => undefined);
    }
  } finally {
    if (waiting.get(merchantId) === poll) waiting.delete(merchantId);
  }
  return taken;
}

function callbackOf(forward: TakenForward) {
  return {
    forward_id: forward.forwardId,
    invoice_id: forward.invoiceId,
    attempt: forward.attempt,
    url: forward.url,
    headers: headerPairs(forward.headers),
    body: forward.body.toString('utf8'),
  };
}

async function answer(
  waitMs: number,
  context: RestContext,
  request: AuthenticatedRequest,
): Promise<Answer> {
  const parsed = parseBody(listenRequest, request.body, request.header('content-type'));
  if (!parsed.ok) return invalid(parsed.detail);
  const { listener_id: listenerId, step } = parsed.value;
  const { tenant, now } = request;
  const until = await keepListening(context.db, tenant, { listenerId, step, now });
  if (until === null) return LISTENER_REPLACED;
  waiting.get(tenant.merchantId)?.abort();
  const look = () => takeForwards(context.db, tenant, { listenerId, until, now: context.clock() });
  const taken = step === 'go_on' ? await waitFor(tenant.merchantId, waitMs, look) : [];
  return success(
    JSON.stringify({ listening_until: until.getTime(), callbacks: taken.map(callbackOf) }),
  );
}

/** The endpoint below, with polls that wait this long. */
export function listenEndpointOf(waitMs: number): Endpoint {
  return {
    method: 'POST',
    scope: 'sandbox',
    sandboxOnly: true,
    isToolsOwn: true,
    handle: (context, request) => answer(waitMs, context, request),
  };
}

/**
 * `POST /test/callback/listen`: announces a listener, and waits some seconds for callbacks to hand
 * to it.
 */
export const listenEndpoint = listenEndpointOf(WAIT_MS);
