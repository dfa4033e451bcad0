import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Pool } from 'pg';
import { answerAcquirer } from './answer-hook.ts';

/** Serves `/api/acquirers/…` of a database for stand-ins that call it. */
export async function serveHooks(db: Pool, clock: () => Date) {
  const server = createServer(async (request, response) => {
    const [provider = '', accountId = ''] = (request.url ?? '').split('/').slice(3);
    const body = await buffer(request);
    const header = (name: string) => request.headers[name]?.toString() ?? null;
    const call = { method: request.method ?? '', header, body };
    const answered = answerAcquirer(db, { provider, accountId }, call, clock);
    const answer = await answered.catch(() => null);
    response.writeHead(answer?.status ?? 404, {
      'content-type': answer?.contentType ?? 'text/plain',
    });
    response.end(answer?.body ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
