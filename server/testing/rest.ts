import type { Queryable } from '../db/pool.ts';
import { createToken } from '../merchants/tokens.ts';
import { type Environment, SCOPES, type Scope } from '../merchants/types.ts';
import { createMerchantFixture } from './factories.ts';

/** The headers of a merchant's server for every request in one environment. */
export type Credentials = { authorization: string; 'x-merchant': string };

export type RestMerchant = { id: string } & Record<Environment, Credentials>;

/** A merchant with a token in both environments, which may do everything unless it is told. */
export async function createRestMerchant(
  db: Queryable,
  scopes: readonly Scope[] = SCOPES,
): Promise<RestMerchant> {
  const { id } = await createMerchantFixture(db);
  const credentials = async (environment: Environment): Promise<Credentials> => {
    const made = { merchantId: id, environment, name: 'test', scopes, now: new Date() };
    const { token } = await createToken(db, made);
    return { authorization: `Bearer ${token}`, 'x-merchant': id };
  };
  return {
    id,
    sandbox: await credentials('sandbox'),
    production: await credentials('production'),
  };
}

/** What answers, as far as a test needs it. */
type Handler = {
  handle(request: {
    method: string;
    path: string;
    query: URLSearchParams;
    header(name: string): string | null;
    readBody(): Promise<Buffer>;
    remoteAddress: string;
  }): Promise<{ status: number; body: unknown }>;
};

/** Sends a request in one environment as a merchant's server does: a POST where there is a body. */
export async function sendTo(
  handler: Handler,
  path: string,
  {
    environment = 'sandbox',
    headers,
    body,
  }: { environment?: Environment; headers: object; body: object | null },
) {
  const all: Record<string, string> = { 'content-type': 'application/json', ...headers };
  const [pathname = '', query = ''] = path.split('?');
  const answer = await handler.handle({
    method: body === null ? 'GET' : 'POST',
    path: `/api/${environment}${pathname}`,
    query: new URLSearchParams(query),
    header: (name) => all[name] ?? null,
    readBody: async () => Buffer.from(JSON.stringify(body)),
    remoteAddress: '192.0.2.1',
  });
  const text = String(answer.body);
  return { status: answer.status, text, json: JSON.parse(text) };
}

let count = 0;

/** The body of a valid create; its merchant_transaction_id is new by default. */
export function createBody(overrides: { [field: string]: unknown } = {}): {
  [field: string]: unknown;
} {
  count += 1;
  return {
    amount: 1500,
    currency: 'USD',
    description: 'Two tickets',
    end_date: Date.now() + 3_600_000,
    positions: [{ title: 'Ticket', amount: 1500, currency: 'USD' }],
    merchant_transaction_id: `order-${process.pid}-${Date.now()}-${count}`,
    success_url: 'http://localhost:1/success',
    error_url: 'http://localhost:1/error',
    callback_url: 'http://localhost:1/callback',
    ...overrides,
  };
}
