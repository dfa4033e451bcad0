import type { TRPCError } from '@trpc/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ZodError } from 'zod';
import { createSession, findSession, type StaffSession } from '../auth/sessions.ts';
import { createMerchant, type NewMerchant } from '../merchants/mutations.ts';
import { grantTenant } from '../merchants/tenant.ts';
import { ENVIRONMENTS, type Environment, ROLES } from '../merchants/types.ts';
import { createInvitation } from '../staff/invitations.ts';
import { setMember } from '../staff/members.ts';
import { isAllowed, type Permission } from '../staff/roles.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { fillMerchant } from '../testing/filled-merchant.ts';
import {
  inputSchemaOf,
  inputsOf,
  type KnownValues,
  oddInputs,
  sample,
} from '../testing/procedure-inputs.ts';
import { contextOf } from './context.ts';
import { appRouter, createCaller } from './root.ts';

// Walks every procedure of the router, so that a new one is covered at once: it is called in each
// role, and by another merchant's owner with this merchant's ids.

type Procedure = {
  _def: {
    meta?: { permission?: Permission | 'operator'; isPersonal?: boolean };
    inputs?: unknown[];
    type: string;
  };
};
const PROCEDURES = Object.entries(appRouter._def.procedures) as unknown as [string, Procedure][];

/** A PNG of one pixel. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Values that pass validation and exclude none of the rows. */
const PASSING: KnownValues = {
  ...{ timeZone: ['UTC'], brandColor: ['#0a7f5a'] },
  email: ['asked@example.com'],
  ownerEmail: ['asked@example.com'],
  formKey: ['00000000-0000-4000-8000-000000000001'],
  url: ['http://127.0.0.1:1/'],
  networks: ['203.0.113.0/24'],
  base64: [PICTURE],
  untilMs: [Date.parse('2027-01-01T00:00:00.000Z')],
  maxAmountMinor: [Number.MAX_SAFE_INTEGER],
  edgesMs: [[20, 21, 21, 22].map((day) => Date.UTC(2026, 10, day))],
  ...{ day: ['2026-11-21'], cause: ['disputes'] },
  // For each list, a cursor before all of its rows.
  cursor: ['inv_z', 'mer_z', '999999999999999999', '99999999999999-999999999999999999'],
};

const NOW = new Date('2026-11-21T12:00:00.000Z');
const OPERATOR = { type: 'operator', id: null, label: 'test' } as const;

let database: TestDatabase;
let ours: NewMerchant;
let theirs: NewMerchant;
/** Values that name something of `ours`, or pass validation, by the name of their input field. */
let known: KnownValues;
/** Every answer about `ours` contains one of these. */
let marks: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database;
  const make = (name: string, ownerEmail: string) =>
    createMerchant(pool, { name, ownerEmail, actor: OPERATOR, now: NOW });
  ours = await make('Victim', 'victim@example.com');
  theirs = await make('Stranger', 'stranger@example.com');
  const { id: sessionId } = await sessionFor(ours.owner.userId);
  const invitationId = await inviteSomebody();
  const seen = await fillMerchant(pool, ours, NOW);
  const { owner, merchantId } = ours;
  marks = ['invited-by-victim', 'Victim', owner.email, owner.userId, merchantId, sessionId];
  marks.push(invitationId, ...seen.marks);
  known = {
    ...PASSING,
    ...seen.known,
    merchantId: [merchantId],
    sessionId: [sessionId],
    userId: [owner.userId],
    invitationId: [invitationId],
  };
});

afterAll(() => database.drop());

async function inviteSomebody(): Promise<string> {
  const { id } = await createInvitation(database.pool, grantTenant(ours.merchantId, 'sandbox'), {
    email: 'invited-by-victim@example.com',
    role: 'viewer',
    locale: 'en',
    actor: { type: 'staff', id: ours.owner.userId, label: ours.owner.email },
    now: NOW,
  });
  return id;
}

async function sessionFor(userId: string): Promise<StaffSession> {
  const { pool } = database;
  const { id } = await createSession(pool, { userId, address: null, userAgent: null, now: NOW });
  const session = await findSession(pool, id, NOW);
  if (!session) throw new Error('the session is gone');
  return session;
}

/** Calls a procedure by its path; resolves to its answer, or to its error's code and cause. */
async function call(
  path: string,
  session: StaffSession | null,
  input: unknown,
  environment: Environment = 'sandbox',
): Promise<{ code: string; message?: string; data?: unknown; cause?: unknown }> {
  const context = contextOf(session, { db: database.pool, environment, address: null, now: NOW });
  let target: unknown = createCaller(context);
  for (const part of path.split('.')) target = Reflect.get(target as object, part);
  try {
    return { code: 'OK', data: await (target as (input: unknown) => Promise<unknown>)(input) };
  } catch (error) {
    const { code, message, cause } = error as TRPCError;
    return { code, message, cause };
  }
}

function inputFor(procedure: Procedure): unknown {
  const schema = inputSchemaOf(procedure);
  return schema === null ? undefined : sample(schema, '', known);
}

/** All of the victim's data that a call could have changed. */
async function snapshot(): Promise<string> {
  const tables = [
    'invoices',
    'callbacks',
    'api_tokens',
    'signing_secrets',
    'event_addresses',
    'payment_links',
    'acquirer_accounts',
    'memberships',
    'invitations',
    ...['refunds', 'acknowledgements', 'saved_views'],
  ];
  const rowsOf = (table: string) =>
    `SELECT '${table}' AS t, to_jsonb(x)::text AS row FROM ${table} x WHERE x.merchant_id = $1`;
  const parts = tables.map(rowsOf);
  parts.push(`SELECT 'merchants', to_jsonb(x)::text FROM merchants x WHERE id = $1`);
  parts.push(`SELECT 'sessions', to_jsonb(x)::text FROM sessions x WHERE merchant_id = $1`);
  parts.push(`SELECT 'audit_log', to_jsonb(x)::text FROM audit_log x WHERE merchant_id = $1`);
  const sql = `${parts.join(' UNION ALL ')} ORDER BY 1, 2`;
  const { rows } = await database.pool.query(sql, [ours.merchantId]);
  return JSON.stringify(rows);
}

const asText = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each)) ?? '';

/** Mutations that still work for a suspended merchant; three record that a list was exported. */
const TAKE_AWAY = [
  ...['cancel', 'cancelEach'].map((deed) => `invoices.${deed}`),
  'developers.deactivateToken',
  ...['disable', 'disconnect'].map((deed) => `acquirers.${deed}`),
  'team.withdrawInvitation',
  'team.changeRole',
  'team.removeMember',
  'team.leave',
  'team.demandSecondFactor',
  ...['invoices', 'audit', 'register'].map((list) => `${list}.noteExport`),
];
/** Queries that only prepare what a suspension stops. */
const OF_WHAT_RESTS = ['paymentLinks.begin', 'callbacks.countFailedWithin'];

/** Answers of these name nothing of anybody's. */
const OF_COUNTS = ['operator.overview', 'overview.outcomes', 'overview.checklist'];
const WITHOUT_MARKS = ['security.secondFactor', 'team.demand', ...OF_COUNTS];
const QUERIES = PROCEDURES.filter(
  ([path, { _def }]) => _def.type === 'query' && !WITHOUT_MARKS.includes(path),
);

function questionsOf(procedure: Procedure): Map<string, unknown[]> {
  const schema = inputSchemaOf(procedure);
  return schema === null ? new Map([['', [undefined]]]) : inputsOf(schema, known);
}

describe('every procedure', () => {
  it.each(PROCEDURES)('%s names the permission that it wants', (_, procedure) => {
    expect(procedure._def.meta?.permission).toBeTypeOf('string');
  });

  it.each(PROCEDURES)('%s refuses who is not signed in', async (path, procedure) => {
    expect((await call(path, null, inputFor(procedure))).code).toBe('UNAUTHORIZED');
  });

  const OF_A_MERCHANT = PROCEDURES.filter(([, { _def }]) => !_def.meta?.isPersonal);

  it.each(OF_A_MERCHANT)('%s refuses who belongs to no merchant', async (path, procedure) => {
    const session = { ...(await sessionFor(theirs.owner.userId)), merchant: null };
    expect((await call(path, session, inputFor(procedure))).code).toBe('FORBIDDEN');
  });

  it.each(OF_A_MERCHANT)(
    '%s refuses who lacks the second factor that the merchant demands',
    async (path, procedure) => {
      const demand = (isOn: boolean) =>
        database.pool.query('UPDATE merchants SET require_totp = $2 WHERE id = $1', [
          theirs.merchantId,
          isOn,
        ]);
      await demand(true);
      try {
        const session = await sessionFor(theirs.owner.userId);
        expect((await call(path, session, inputFor(procedure))).code).toBe('FORBIDDEN');
      } finally {
        await demand(false);
      }
    },
  );

  for (const role of ROLES) {
    it.each(PROCEDURES)(
      `%s lets in or refuses a ${role} as its permission says`,
      async (path, procedure) => {
        const { pool } = database;
        const { merchantId, owner } = theirs;
        await setMember(pool, { merchantId, userId: owner.userId, role, now: NOW });
        try {
          const session = await sessionFor(owner.userId);
          // An input that nothing accepts: the gate has to refuse before it is validated.
          const { code } = await call(path, session, Symbol('no input'));
          const permission = procedure._def.meta?.permission;
          const allowed =
            permission !== undefined &&
            permission !== 'operator' &&
            isAllowed({ role, status: 'active' }, permission);
          if (allowed) expect(['FORBIDDEN', 'UNAUTHORIZED']).not.toContain(code);
          else expect(code).toBe('FORBIDDEN');
        } finally {
          await setMember(pool, { merchantId, userId: owner.userId, role: 'owner', now: NOW });
        }
      },
    );
  }

  const OF_STAFF = OF_A_MERCHANT.filter(([, { _def }]) => _def.meta?.permission !== 'operator');

  it.each(OF_STAFF)(
    '%s rests while the merchant is suspended, unless it reads or takes away',
    async (path, procedure) => {
      const { merchant, ...session } = await sessionFor(theirs.owner.userId);
      if (!merchant) throw new Error('no merchant');
      const suspended = { ...session, merchant: { ...merchant, status: 'suspended' as const } };
      const { code, message } = await call(path, suspended, Symbol('no input'));
      const isOpen = procedure._def.type === 'query' || TAKE_AWAY.includes(path);
      if (isOpen && !OF_WHAT_RESTS.includes(path)) expect(code).not.toBe('FORBIDDEN');
      else expect(message).toBe('The merchant is suspended.');
    },
  );

  it.each(OF_A_MERCHANT)(
    '%s opens to an operator without a merchant only if it is an operator’s',
    async (path, procedure) => {
      const { owner } = theirs;
      const session = { ...(await sessionFor(owner.userId)), merchant: null, isOperator: true };
      const { code } = await call(path, session, Symbol('no input'));
      if (procedure._def.meta?.permission === 'operator') expect(code).not.toBe('FORBIDDEN');
      else expect(code).toBe('FORBIDDEN');
    },
  );

  it.each(PROCEDURES)(
    '%s shows and changes nothing of another merchant',
    async (path, procedure) => {
      const before = await snapshot();
      const session = await sessionFor(theirs.owner.userId);
      const isOperators = procedure._def.meta?.permission === 'operator';
      for (const input of [...questionsOf(procedure).values()].flat()) {
        for (const environment of ENVIRONMENTS) {
          const { code, data, cause } = await call(path, session, input, environment);
          // The call must have passed validation; otherwise it proved nothing.
          expect(cause, asText(input)).not.toBeInstanceOf(ZodError);
          expect(code === 'FORBIDDEN', asText(input)).toBe(isOperators);
          expect(code).not.toBe('INTERNAL_SERVER_ERROR');
          for (const mark of marks) expect(asText(data)).not.toContain(mark);
        }
      }
      expect(await snapshot()).toBe(before);
    },
  );

  // Otherwise the test above could not fail.
  it.each(QUERIES)(
    '%s shows its own merchant what another may not see',
    async (path, procedure) => {
      const session = { ...(await sessionFor(ours.owner.userId)), isOperator: true };
      for (const [field, inputs] of questionsOf(procedure)) {
        const answers = await Promise.all(inputs.map((input) => call(path, session, input)));
        const shown = answers.map(({ data }) => asText(data)).join();
        const hasMark = marks.some((mark) => shown.includes(mark));
        expect(`${field}: ${hasMark}`).toBe(`${field}: true`);
      }
    },
  );
});

describe('the walk itself', () => {
  it('finds what an owner sees of their own', async () => {
    const session = await sessionFor(ours.owner.userId);
    const { data } = await call('invoices.list', session, {});
    expect(asText(data)).toContain(known.invoiceId?.[0]);
    expect((await call('account.endSession', session, { sessionId: session.id })).code).toBe('OK');
  });

  it('sees no invoice of the other environment', async () => {
    const session = await sessionFor(ours.owner.userId);
    const { data } = await call('invoices.list', session, {}, 'production');
    expect(data).toMatchObject({ invoices: [], nextCursor: null });
  });
});

// Runs last, because a person with all permissions makes these calls.
describe('a text or an instant that PostgreSQL cannot hold', () => {
  const WITH_INPUT = PROCEDURES.filter(([, procedure]) => inputSchemaOf(procedure) !== null);
  const laterThanAll = Buffer.from('999999999999999:inv_x').toString('base64url');
  const texts = ['\0', 'a\0b', 'a\ud83d', '\ude00b', laterThanAll];
  // The first time after the year 9999, JavaScript's last one, and one beyond that.
  const odd = [...texts, 253_402_300_800_000, 8_640_000_000_000_000, Number.MAX_SAFE_INTEGER];
  let tried = 0;

  it.each(WITH_INPUT)('%s takes it for no fault of ours', async (path, procedure) => {
    const schema = inputSchemaOf(procedure) ?? {};
    const session = { ...(await sessionFor(ours.owner.userId)), isOperator: true };
    for (const value of odd) {
      for (const [field, input] of oddInputs(schema, '', value, known)) {
        const { code } = await call(path, session, input);
        const named = `${code} for ${JSON.stringify(value)} in ${field}`;
        expect(named).not.toMatch(/^(INTERNAL_SERVER_ERROR|SERVICE_UNAVAILABLE)/);
        tried += 1;
      }
    }
  });

  it('is tried where texts are', () => {
    expect(tried).toBeGreaterThan(25 * texts.length);
  });
});
