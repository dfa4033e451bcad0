import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Role } from '../merchants/types.ts';
import { log } from '../observability/log.ts';
import { findOrCreateUser, setMember } from '../staff/members.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createStaffedShop, newSession, type StaffedShop } from '../testing/staff.ts';
import { contextOf } from './context.ts';
import { createCaller } from './root.ts';

const NOW = new Date();
const FROM = { address: '192.0.2.7', requestId: 'req_7' };

type Line = { [name: string]: unknown };

let database: TestDatabase;
let shop: StaffedShop;
let lines: Line[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  shop = await createStaffedShop(database.pool, NOW);
});
beforeEach(() => {
  lines = [];
  vi.spyOn(log(), 'warn').mockImplementation((line: unknown) => void lines.push(line as Line));
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => database.drop());

/** The procedures as one of the shop's staff calls them, from a page or a script. */
async function callsOf(role: Role) {
  const { pool } = database;
  const person = { email: `${role}@example.com`, password: 'correct horse battery', now: NOW };
  const { id: userId } = await findOrCreateUser(pool, person);
  await setMember(pool, { merchantId: shop.merchantId, userId, role, now: NOW });
  const session = await newSession(pool, userId, NOW);
  const request = { ...FROM, db: pool, environment: 'sandbox', now: NOW } as const;
  return createCaller(contextOf(session, request));
}

it.each([
  ['a role', 'viewer', 'developers.tokens', (api) => api.developers.tokens()],
  ['the operator’s pages', 'owner', 'operator.merchants', (api) => api.operator.merchants({})],
  [
    'a rule below the gate',
    'admin',
    'team.invite',
    (api) => api.team.invite({ email: 'new@example.com', role: 'owner', locale: 'en' }),
  ],
] satisfies [
  string,
  Role,
  string,
  (api: Awaited<ReturnType<typeof callsOf>>) => Promise<unknown>,
][])(
  'who is refused by %s leaves a line with what they asked for',
  async (_, role, procedure, call) => {
    const api = await callsOf(role);
    await expect(call(api)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(lines).toEqual([
      {
        what: 'permission',
        outcome: 'refused',
        account: expect.stringMatching(/^[\w-]{16}$/),
        procedure,
        ...FROM,
      },
    ]);
  },
);

it('what is allowed, not found or not valid leaves none', async () => {
  const api = await callsOf('owner');
  await api.team.members();
  await expect(api.invoices.read({ invoiceId: 'inv_none' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  await expect(api.developers.createToken({ name: '' } as never)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
  expect(lines).toEqual([]);
});
