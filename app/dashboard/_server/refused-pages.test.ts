import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { ROLES, type Role } from '#server/merchants/types.ts';
import { log } from '#server/observability/log.ts';
import { findOrCreateUser, setMember } from '#server/staff/members.ts';
import { permissionsOf } from '#server/staff/roles.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { createStaffedShop, newSession, type StaffedShop } from '#server/testing/staff.ts';
import { placesOf } from './places.ts';

const NOW = new Date();
let database: TestDatabase;
let shop: StaffedShop;
let sessionId = '';
let refused: { procedure?: string }[] = [];

vi.mock('next/headers', () => ({
  cookies: async () => ({ getAll: () => [], get: () => undefined }),
  headers: async () => new Headers(),
}));
vi.mock(import('#server/auth/next-auth.ts'), async (original) => ({
  ...(await original()),
  sessionIdOf: async () => sessionId,
}));
vi.mock(import('#server/db/pool.ts'), async (original) => ({
  ...(await original()),
  getPool: () => database.pool,
}));

beforeAll(async () => {
  database = await createTestDatabase();
  shop = await createStaffedShop(database.pool, NOW);
});
beforeEach(() => {
  refused = [];
  vi.spyOn(log(), 'warn').mockImplementation((line: unknown) => void refused.push(line as object));
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => database.drop());

async function enter(role: Role): Promise<void> {
  const { pool } = database;
  const person = { email: `${role}@example.com`, password: 'correct horse battery', now: NOW };
  const { id: userId } = await findOrCreateUser(pool, person);
  await setMember(pool, { merchantId: shop.merchantId, userId, role, now: NOW });
  sessionId = (await newSession(pool, userId, NOW)).id;
}

type Page = { default: (props: object) => Promise<unknown> };

const PAGES: { [path: string]: () => Promise<unknown> } = {
  '': () => import('../[environment]/page.tsx'),
  '/invoices': () => import('../[environment]/invoices/page.tsx'),
  '/invoices/new': () => import('../[environment]/invoices/new/page.tsx'),
  '/links': () => import('../[environment]/links/page.tsx'),
  '/register': () => import('../[environment]/register/page.tsx'),
  '/callbacks': () => import('../[environment]/callbacks/page.tsx'),
  '/callbacks/test': () => import('../[environment]/callbacks/test/page.tsx'),
  '/payment-methods': () => import('../[environment]/payment-methods/page.tsx'),
  '/payment-methods/connect': () => import('../[environment]/payment-methods/connect/page.tsx'),
  '/developers': () => import('../[environment]/developers/page.tsx'),
  '/developers/requests': () => import('../[environment]/developers/requests/page.tsx'),
  '/team': () => import('../[environment]/team/page.tsx'),
  '/audit-log': () => import('../[environment]/audit-log/page.tsx'),
  '/settings': () => import('../[environment]/settings/page.tsx'),
  '/account': () => import('../[environment]/account/page.tsx'),
};

async function open(path: string): Promise<void> {
  const page = (await PAGES[path]?.()) as Page;
  const params = Promise.resolve({ environment: 'sandbox' });
  await page.default({ params, searchParams: Promise.resolve({}) });
}

/** The navigation's paths for a role, below the dashboard's own address. */
async function pathsOf(role: Role): Promise<string[]> {
  const permissions = permissionsOf({ role, status: 'active' });
  const { screens, more } = await placesOf('sandbox', { isOperator: false }, { permissions });
  const paths = [...screens, ...more].map(({ href }) => href.replace('/dashboard/sandbox', ''));
  return [...new Set(paths.map((path) => path.replace(/[#?].*/, '')))].filter(
    (path) => path !== '/docs',
  );
}

it.each(ROLES)('no page that %s is led to asks for what they may not see', async (role) => {
  await enter(role);
  for (const path of await pathsOf(role)) await open(path);
  expect(refused).toEqual([]);
});

it('who opens by its address a page that is not for them leaves a line', async () => {
  await enter('viewer');
  await open('/audit-log');
  await open('/invoices/new');
  expect(refused.map(({ procedure }) => procedure)).toEqual([
    'audit.choices',
    'paymentLinks.begin',
  ]);
});

it('a cashier is led from the pages of the business to a new payment link', async () => {
  await enter('cashier');
  const own = await pathsOf('cashier');
  expect(own).toEqual(['/invoices/new', '/invoices', '/links', '/account']);
  for (const path of Object.keys(PAGES).filter((each) => !own.includes(each))) {
    await expect(open(path), path).rejects.toThrow('NEXT_REDIRECT');
  }
  expect(refused).toEqual([]);
});
