import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { forwardingSender } from '#server/callbacks/tools/forward.ts';
import { answerNodeRequest, restPathOf } from '#server/http/node-adapter.ts';
import { coalescedInvoices } from '#server/invoices/merchant-invoices.ts';
import { createLogger } from '#server/observability/log.ts';
import { RestHandler } from '#server/rest/handler.ts';
import { deliverOnce, testContext } from '#server/testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { createRestMerchant, type RestMerchant } from '#server/testing/rest.ts';

/** The fault of one request, which is carried out or not. */
export type Trouble =
  /** The request is carried out, but the answer never arrives. */
  | 'answer lost'
  /** The request is not carried out: an intermediary answers this. */
  | { status: number; body: string; headers?: { [name: string]: string } };

/** The REST API and its callbacks in this process, on a temporary database. */
export type SmallGateway = {
  origin: string;
  baseUrl: string;
  database: TestDatabase;
  merchant: RestMerchant;
  /** The sandbox's token. */
  token: string;
  /** All requests in order of arrival. */
  requests: { method: string; url: string; headers: IncomingMessage['headers'] }[];
  /** The faults of the next requests, one each. */
  trouble: Trouble[];
  /** Sends due callbacks, signed by `TEST_SECRET`, to listeners too; `at` looks ahead. */
  deliver(at?: Date): Promise<{ attempted: number; delivered: number }>;
  close(): Promise<void>;
};

function loseAnswer(response: ServerResponse): void {
  Object.assign(response, { writeHead: () => response, end: () => response.destroy() });
}

/** Starts one for the tests of a file. */
export async function startSmallGateway(): Promise<SmallGateway> {
  const database = await createTestDatabase();
  const merchant = await createRestMerchant(database.pool);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const context = {
    db: database.pool,
    invoices: coalescedInvoices(database.pool),
    publicUrl: origin,
    clock: () => new Date(),
    log: createLogger('silent'),
  };
  const limits = { rateLimitPerSecond: 200, rateLimitBurst: 1000, failedAuthPerMinute: 300 };
  const handler = new RestHandler(context, limits, database.url);
  await handler.ready;
  const requests: SmallGateway['requests'] = [];
  const trouble: Trouble[] = [];
  server.on('request', (request, response) => {
    const { method = '', url = '', headers } = request;
    requests.push({ method, url, headers });
    const next = trouble.shift();
    if (typeof next === 'object') {
      response.writeHead(next.status, next.headers).end(next.body);
      return;
    }
    if (next === 'answer lost') loseAnswer(response);
    const path = restPathOf(url) ?? url.split('?', 1)[0] ?? '';
    answerNodeRequest(
      (given) => handler.handle(given),
      { request, response, path },
      0,
      (error) => {
        response.destroy(error as Error);
      },
    );
  });
  return {
    origin,
    baseUrl: `${origin}/api/sandbox`,
    database,
    merchant,
    token: merchant.sandbox.authorization.slice('Bearer '.length),
    requests,
    trouble,
    deliver: async (at = new Date()) => {
      const direct = testContext(database.pool);
      const { pool, clock } = direct;
      // The gateway detects a listener's departure itself, not only by its timeout.
      const times = { snapshotMs: 0, untakenMs: 60_000 };
      const sender = forwardingSender(direct.sender, { pool, clock, ...times });
      try {
        return await deliverOnce({ ...direct, sender }, { now: at, limit: 100 });
      } finally {
        await direct.sender.close();
      }
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await handler.close();
      await database.drop();
    },
  };
}
