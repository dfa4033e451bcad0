import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DeliveryContext } from '../callbacks/deliver.ts';
import { createSender } from '../callbacks/send.ts';
import { createSigningKeys } from '../callbacks/signing-keys.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createMerchantFixture, type MerchantFixture } from './factories.ts';

/** One callback that the merchant's server got. */
export type Received = { webhookId: string; invoiceId: string; status: number };

/** A database, a merchant and the merchant's server, with a clock that the test moves. */
export type Lane = {
  database: TestDatabase;
  merchant: MerchantFixture;
  callbackUrl: string;
  /** How the merchant's server answers from now on. */
  receiver: { healthy: boolean; received: Received[] };
  clock: { nowMs: number };
  delivery: DeliveryContext;
  close(): Promise<void>;
};

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

function startReceiver(state: Lane['receiver']) {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString());
      state.received.push({
        webhookId: String(request.headers['webhook-id']),
        invoiceId: body.invoice_id,
        status: body.status,
      });
      response.statusCode = state.healthy ? 200 : 500;
      response.end(JSON.stringify({ success: state.healthy }));
    });
  });
  return new Promise<{ url: string; close(): Promise<void> }>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      const close = () =>
        new Promise<void>((closed) => {
          server.close(() => closed());
          server.closeAllConnections();
        });
      resolve({ url: `http://127.0.0.1:${port}/callback`, close });
    });
  });
}

/** Opens a lane. */
export async function createLane(): Promise<Lane> {
  const database = await createTestDatabase();
  const merchant = await createMerchantFixture(database.pool);
  const receiver: Lane['receiver'] = { healthy: true, received: [] };
  const server = await startReceiver(receiver);
  const clock = { nowMs: Date.parse('2026-11-21T12:00:00.000Z') };
  const now = () => new Date(clock.nowMs);
  const sender = createSender({ network: 'local', clock: now });
  const delivery: DeliveryContext = {
    pool: database.pool,
    sender,
    keys: createSigningKeys(() => Promise.resolve([SECRET])),
    clock: now,
    random: () => 0.5,
    onError: (error) => {
      throw error;
    },
  };
  const close = async () => {
    await sender.close();
    await server.close();
    await database.drop();
  };
  return { database, merchant, callbackUrl: server.url, receiver, clock, delivery, close };
}
