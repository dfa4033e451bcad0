import type { ServerResponse } from 'node:http';

/** Longer than anything works for a page, whose statements and acquirers have limits well below. */
const ABANDONED_MS = 60_000;

/**
 * Settles as `work` on an answer does, or a while after its reader has left.
 *
 * Next never says that it is done where the reader leaves before all of an answer is sent, or before
 * their turn has come on a connection: it waits for the `drain` of a response that is gone.
 *
 * @throws whatever `work` does
 */
export function untilAbandoned(
  { req: { socket } }: ServerResponse,
  work: Promise<void>,
  abandonedMs = ABANDONED_MS,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let limit: NodeJS.Timeout | undefined;
    const leave = () => {
      limit = setTimeout(resolve, abandonedMs).unref();
    };
    // Of the connection: a response whose turn never comes does not close. It has as many of these
    // as requests that are sent at once, which is no leak.
    if (socket.destroyed) leave();
    else socket.setMaxListeners(0).once('close', leave);
    work.then(resolve, reject).finally(() => {
      socket.off('close', leave);
      clearTimeout(limit);
    });
  });
}
