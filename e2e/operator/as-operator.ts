import type { Page } from '@playwright/test';
import { openPool } from '#server/db/pool.ts';
import { addOperator } from '#server/operating/operators.ts';
import { findOrCreateUser } from '#server/staff/members.ts';
import { forgetSignIns } from '../dashboard/new-shop.ts';
import { signInAt } from '../dashboard/person.ts';
import type { GatewayUnderTest } from '../gateway.ts';

/** Somebody on the gateway's own staff, with a password. */
export async function newOperator({
  databaseUrl,
}: GatewayUnderTest): Promise<{ email: string; password: string }> {
  const email = `operator-${crypto.randomUUID()}@example.com`;
  const [password, now] = ['correct horse battery', new Date()];
  const pool = openPool(databaseUrl, 1);
  await forgetSignIns(pool);
  const actor = { type: 'operator', id: null, label: 'journeys' } as const;
  await findOrCreateUser(pool, { email, password, now });
  await addOperator(pool, { email, actor, now });
  await pool.end();
  return { email, password };
}

/**
 * Signs a new operator in at one of their pages. It waits as long as the test may take: the first
 * page after a start is slow on a busy machine.
 */
export async function openAsOperator(
  page: Page,
  gateway: GatewayUnderTest,
  path: string,
): Promise<string> {
  const { email, password } = await newOperator(gateway);
  await signInAt(page, { email, password }, path);
  await page.waitForURL((url) => url.pathname.startsWith('/operator'));
  return email;
}
