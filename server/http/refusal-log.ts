import type { IncomingMessage } from 'node:http';
import { LineLimit } from '../observability/line-limit.ts';
import { log } from '../observability/log.ts';

const MAX_PATH_CHARACTERS = 200;

// Anybody can send what is no request, without end.
const lines = new LineLimit();

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
  const unlogged = lines.take(nowMs);
  if (unlogged === null) return;
  const { method, url } = request ?? {};
  // A page's can be a link that opens something, a whole address can have a password.
  const path = url?.startsWith('/api/') && url.split('?', 1)[0]?.slice(0, MAX_PATH_CHARACTERS);
  log().info(
    { requestId, method, ...(path && { path }), status, ...(unlogged > 0 && { unlogged }) },
    'request refused',
  );
}
