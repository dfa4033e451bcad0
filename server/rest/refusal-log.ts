import type { IncomingMessage } from 'node:http';
import { TokenBuckets } from '../lib/token-bucket.ts';
import { log } from '../log.ts';

// Anybody can send what is no request, without end; each line is written by itself.
const LINES = { perSecond: 10, burst: 100 };
const MAX_PATH_CHARACTERS = 200;

const lines = new TokenBuckets(LINES, 1);
let unlogged = 0;

/**
 * Tells the log of an answer that no handler gave, so that its id stands there as well. Of many in a
 * second some are only counted: how many that were stands in the next line.
 *
 * @param answer.requestId as the answer has it
 * @param request undefined where not even the head could be read
 * @param nowMs milliseconds from any beginning
 */
export function logRefusal(
  { requestId, status }: { requestId: string; status: number },
  request: Pick<IncomingMessage, 'method' | 'url'> | undefined,
  nowMs = performance.now(),
): void {
  if (!log().isLevelEnabled('info')) return;
  if (lines.take('', nowMs) > 0) {
    unlogged += 1;
    return;
  }
  const { method, url } = request ?? {};
  // A page's can be a link that opens something, a whole address can have a password.
  const path = url?.startsWith('/api/') && url.split('?', 1)[0]?.slice(0, MAX_PATH_CHARACTERS);
  log().info(
    { requestId, method, ...(path && { path }), status, ...(unlogged > 0 && { unlogged }) },
    'request refused',
  );
  unlogged = 0;
}
