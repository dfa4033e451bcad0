import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSender } from '../../callbacks/http/send.ts';
import { createSigningKeys } from '../../callbacks/http/signing-keys.ts';
import type { DeliveryContext } from '../../callbacks/queue/deliver.ts';
import {
  coalescedInvoices,
  type MerchantInvoices,
  oneByOneInvoices,
} from '../../invoices/merchant-invoices.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../factories.ts';

export type LaneInvoices = Pick<MerchantInvoices, 'readStatus' | 'cancel'>;

/** One callback that the merchant's server received. */
export type Received = { webhookId: string; invoiceId: string; status: number };

/** A database, a merchant and the merchant's server, with a clock that the test moves. */
export type Lane = {
  database: TestDatabase;
  merchant: MerchantFixture;
  /** How the merchant's server reads and cancels. */
  invoices: LaneInvoices;
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

/** Sends every request twice at once: only concurrent requests share a statement. */
function askedTwice(invoices: MerchantInvoices): LaneInvoices {
  const both = async <T extends object | null>(ask: () => Promise<T>): Promise<T> => {
    const [first, second] = await Promise.all([ask(), ask()]);
    // One of two cancels is new, and the merchant is not told which.
    assert.deepEqual({ ...first, isNew: null }, { ...second, isNew: null });
    return first;
  };
  return {
    readStatus: (...of) => both(() => invoices.readStatus(...of)),
    cancel: (...of) => both(() => invoices.cancel(...of)),
  };
}

/** Opens a lane. */
export async function createLane({ coalesced }: { coalesced: boolean }): Promise<Lane> {
  const database = await createTestDatabase();
  const merchant = await createMerchantFixture(database.pool);
  const invoices = coalesced
    ? askedTwice(coalescedInvoices(database.pool))
    : oneByOneInvoices(database.pool);
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
  const callbackUrl = server.url;
  return { database, merchant, invoices, callbackUrl, receiver, clock, delivery, close };
}
