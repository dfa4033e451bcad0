import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** up: accepts events; error: answers 500; silent: accepts the request and never answers. */
export type InngestMode = 'up' | 'error' | 'silent';

export type SentEvent = { name: string; id: string; ts: number };

export type FakeInngest = {
  baseUrl: string;
  /** The accepted events, in order. */
  events: SentEvent[];
  /** The number of requests, whatever their answers. */
  requests: number;
  mode: InngestMode;
  close(): Promise<void>;
};

/** An Inngest server's event API on a free port of 127.0.0.1; it runs no function. */
export async function openFakeInngest(): Promise<FakeInngest> {
  const fake = { mode: 'up' as InngestMode, events: [] as SentEvent[], requests: 0 };
  const server = createServer((request, response) => {
    fake.requests += 1;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (fake.mode === 'silent') return;
      if (fake.mode === 'error') {
        response.writeHead(500).end('{"error":"no"}');
        return;
      }
      const events = JSON.parse(Buffer.concat(chunks).toString()) as SentEvent[];
      fake.events.push(...events);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ids: events.map(({ id }) => id), status: 200 }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return Object.assign(fake, { baseUrl: `http://127.0.0.1:${port}`, close });
}

/**
 * Inngest's signature header: HMAC-SHA256 over the body and the time in seconds. The body must be
 * canonical JSON (sorted keys), because Inngest signs that.
 */
export function signatureOf(body: string, { key, now }: { key: string; now: Date }): string {
  const timestampS = Math.floor(now.getTime() / 1_000);
  const secret = key.replace(/^signkey-\w+-/, '');
  const digest = createHmac('sha256', secret).update(body).update(String(timestampS)).digest('hex');
  return `t=${timestampS}&s=${digest}`;
}
