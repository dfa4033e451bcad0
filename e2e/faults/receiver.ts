import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The requests that a merchant's server got for one invoice. */
export type Arrivals = {
  /** The time of each request, milliseconds since the epoch. */
  atMs: number[];
  statuses: Set<number>;
  webhookIds: Set<string>;
  /** The number of answers that follow the contract. */
  accepted: number;
};

export type Receiver = {
  url: string;
  arrivals: Map<string, Arrivals>;
  /** The most requests open at one time, except those being given up. */
  mostOpen: () => number;
  close(): Promise<void>;
};

// An attempt has ten seconds; a receiver on a busy machine sees its end late.
const GIVEN_UP_AFTER_MS = 9_000;

/**
 * A merchant's server on loopback.
 * @param answer decides each request (`nth` counts its invoice's from 1): accept it, fail, or hang
 *   that long first
 */
export async function startReceiver(
  answer: (transactionId: string, nth: number) => 'accept' | 'fail' | { hangMs: number },
): Promise<Receiver> {
  const arrivals = new Map<string, Arrivals>();
  const timers = new Set<NodeJS.Timeout>();
  const openSinceMs = new Set<{ atMs: number }>();
  let mostOpen = 0;
  const server = createServer((request, response) => {
    const since = { atMs: performance.now() };
    openSinceMs.add(since);
    response.once('close', () => openSinceMs.delete(since));
    const young = [...openSinceMs].filter(({ atMs }) => since.atMs - atMs < GIVEN_UP_AFTER_MS);
    mostOpen = Math.max(mostOpen, young.length);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString());
      const one = arrivals.get(body.invoice_id) ?? {
        atMs: [],
        statuses: new Set(),
        webhookIds: new Set(),
        accepted: 0,
      };
      arrivals.set(body.invoice_id, one);
      one.atMs.push(Date.now());
      one.statuses.add(body.status);
      one.webhookIds.add(String(request.headers['webhook-id']));
      const verdict = answer(String(body.merchant_transaction_id), one.atMs.length);
      const finish = (success: boolean) => {
        if (success) one.accepted += 1;
        response.writeHead(success ? 200 : 500, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ success }));
      };
      if (typeof verdict === 'string') return finish(verdict === 'accept');
      const timer = setTimeout(() => finish(true), verdict.hangMs);
      timers.add(timer);
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      for (const timer of timers) clearTimeout(timer);
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}/callback`, arrivals, mostOpen: () => mostOpen, close };
}
