import type { Page } from '@playwright/test';
import type pg from 'pg';
import { openPool } from '#server/db/pool.ts';
import { setMember } from '#server/staff/members.ts';
import { type OpenedMerchant, openMerchant } from '#server/testing/merchants.ts';
import type { GatewayUnderTest } from '../gateway.ts';
import { signInAt } from './person.ts';

/** All journeys sign in from one address with limited tries, so earlier ones are not counted. */
export async function forgetSignIns(pool: pg.Pool): Promise<void> {
  await pool.query(`DELETE FROM throttles WHERE key LIKE 'sign-in address %'`);
}

/** A merchant for one journey, so that journeys that run at once do not see each other's data. */
export async function newShop(
  { databaseUrl }: GatewayUnderTest,
  name: string,
): Promise<OpenedMerchant> {
  const pool = openPool(databaseUrl, 1);
  try {
    await forgetSignIns(pool);
    return await openMerchant(pool, {
      name,
      ownerEmail: `owner-${crypto.randomUUID().slice(0, 8)}@example.com`,
      actor: { type: 'operator', id: null, label: 'journeys' },
      now: new Date(),
    });
  } finally {
    await pool.end();
  }
}

/** Makes a shop and opens a page of its dashboard, signed in as its owner. */
export async function ownerAt(
  page: Page,
  gateway: GatewayUnderTest,
  name: string,
  path: string,
): Promise<OpenedMerchant['owner']> {
  const { owner } = await newShop(gateway, name);
  await signInAt(page, owner, path);
  return owner;
}

/**
 * Sends a request to the API of a shop's sandbox.
 *
 * @returns the id of the answer's invoice
 */
export async function postTo(
  { origin }: GatewayUnderTest,
  { merchantId, sandbox }: Pick<OpenedMerchant, 'merchantId' | 'sandbox'>,
  path: string,
  body: object,
): Promise<string> {
  const answer = await fetch(`${origin}/api/sandbox${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${sandbox.apiToken}`,
      'x-merchant': merchantId,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
  return ((await answer.json()) as { data: { invoice_id: string } }).data.invoice_id;
}

/** Two merchants with one owner, who begins at the first: they joined the other long ago. */
export async function twoShops(
  gateway: GatewayUnderTest,
  firstName: string,
  secondName: string,
): Promise<{ first: OpenedMerchant; second: OpenedMerchant }> {
  const first = await newShop(gateway, firstName);
  const second = await newShop(gateway, secondName);
  const pool = openPool(gateway.databaseUrl, 1);
  const { userId } = first.owner;
  await setMember(pool, { merchantId: second.merchantId, userId, role: 'owner', now: new Date(0) });
  await pool.end();
  return { first, second };
}
