import type { TRPCError } from '@trpc/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createSession, findSession, type StaffSession } from '../auth/sessions.ts';
import { recordAudit } from '../merchants/audit.ts';
import { createInvitation } from '../merchants/invitations.ts';
import { setMember } from '../merchants/members.ts';
import { createMerchant, type NewMerchant } from '../merchants/mutations.ts';
import { isAllowed, type Permission } from '../merchants/roles.ts';
import { grantTenant } from '../merchants/tenant.ts';
import { ENVIRONMENTS, type Environment, ROLES } from '../merchants/types.ts';
import { insertDue } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { contextOf } from './context.ts';
import { appRouter, createCaller } from './root.ts';

// Walks every procedure that the router has, so that a new one is covered the day it
// is written: it is called as each role, and as the owner of another merchant with the
// ids of this one.

type Procedure = {
  _def: {
    meta?: { permission?: Permission | 'operator'; isPersonal?: boolean };
    inputs?: unknown[];
    type: string;
  };
};
const PROCEDURES = Object.entries(appRouter._def.procedures) as unknown as [string, Procedure][];

const NOW = new Date('2026-11-21T12:00:00.000Z');
const OPERATOR = { type: 'operator', id: null, label: 'test' } as const;

let database: TestDatabase;
let ours: NewMerchant;
let theirs: NewMerchant;
/** Ids of `ours`, by the name of the input field that takes one. */
let victims: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database;
  const make = (name: string, ownerEmail: string) =>
    createMerchant(pool, { name, ownerEmail, actor: OPERATOR, now: NOW });
  ours = await make('Victim', 'victim@example.com');
  theirs = await make('Stranger', 'stranger@example.com');
  const due = { merchantId: ours.merchantId, url: 'http://localhost:1/secret-path', at: NOW };
  const [invoiceId = ''] = await insertDue(pool, { ...due, count: 3 });
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM api_tokens WHERE merchant_id = $1 LIMIT 1',
    [ours.merchantId],
  );
  const session = await sessionFor(ours.owner.userId);
  await recordAudit(pool, { actor: OPERATOR, now: NOW, action: 'x', merchantId: ours.merchantId });
  victims = {
    merchantId: ours.merchantId,
    invoiceId,
    tokenId: rows[0]?.id ?? '',
    sessionId: session.id,
    userId: ours.owner.userId,
    invitationId: await inviteSomebody(),
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

/** Calls a procedure by its path; resolves to its answer or to its error's code. */
async function call(
  path: string,
  session: StaffSession | null,
  input: unknown,
  environment: Environment = 'sandbox',
): Promise<{ code: string; data?: unknown }> {
  const context = contextOf(session, { db: database.pool, environment, address: null, now: NOW });
  let target: unknown = createCaller(context);
  for (const part of path.split('.')) target = Reflect.get(target as object, part);
  try {
    return { code: 'OK', data: await (target as (input: unknown) => Promise<unknown>)(input) };
  } catch (error) {
    return { code: (error as TRPCError).code };
  }
}

type JsonSchema = {
  type?: string;
  format?: string;
  pattern?: string;
  properties?: Record<string, JsonSchema>;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  minimum?: number;
  minItems?: number;
};

/** A value that a schema takes; fields that name something get an id of the victim's. */
function sample(schema: JsonSchema, field: string): unknown {
  if (/^[a-z]\w*Id$/.test(field)) {
    const id = victims[field];
    // A field that the walk does not know would not be tried against another merchant.
    if (id === undefined) throw new Error(`give the walk an id for "${field}"`);
    return id;
  }
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return sample(schema.anyOf[0] ?? {}, field);
  if (schema.type === 'object') {
    const entries = Object.entries(schema.properties ?? {});
    return Object.fromEntries(entries.map(([name, each]) => [name, sample(each, name)]));
  }
  if (schema.type === 'array') {
    return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items ?? {}, ''));
  }
  if (schema.type === 'integer' || schema.type === 'number')
    return Math.max(schema.minimum ?? 1, 1);
  if (schema.type === 'boolean') return true;
  return 'sample';
}

function inputSchemaOf(procedure: Procedure): JsonSchema | null {
  const [schema] = procedure._def.inputs ?? [];
  if (schema === undefined) return null;
  return z.toJSONSchema(schema as z.ZodType, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

function inputFor(procedure: Procedure): unknown {
  const schema = inputSchemaOf(procedure);
  return schema === null ? undefined : sample(schema, '');
}

/** Values that pass the checks of their fields, so that the odd one beside them is reached. */
const PASSING: Record<string, string> = {
  timeZone: 'UTC',
  brandColor: '#0a7f5a',
  email: 'asked@example.com',
  ownerEmail: 'asked@example.com',
  formKey: '00000000-0000-4000-8000-000000000001',
  cursor: '1',
};

/** A text that nothing in the schema forbids but what it is for: one with `odd` in it. */
function isFreeText({ type, enum: choices, format, pattern }: JsonSchema): boolean {
  return type === 'string' && !choices && !format && !pattern;
}

/**
 * Inputs that are right but for one free text or whole number, which is `odd`; each with the name
 * of that field.
 */
function oddInputs(schema: JsonSchema, field: string, odd: string | number): [string, unknown][] {
  const { type, anyOf, properties = {}, items } = schema;
  if (anyOf) return anyOf.flatMap((each) => oddInputs(each, field, odd));
  const isOdd = typeof odd === 'number' ? type === 'integer' : isFreeText(schema);
  if (isOdd) return [[field, odd]];
  if (type === 'array') {
    return oddInputs(items ?? {}, field, odd).map(([name, value]) => [name, [value]]);
  }
  const right = Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, PASSING[name] ?? sample(each, name)]),
  );
  return Object.entries(properties).flatMap(([name, each]) =>
    oddInputs(each, name, odd).map(([path, value]): [string, unknown] => [
      path,
      { ...right, [name]: value },
    ]),
  );
}

/** Everything of the victim's that a call could have changed. */
async function snapshot(): Promise<string> {
  const tables = [
    'invoices',
    'callbacks',
    'api_tokens',
    'signing_secrets',
    'memberships',
    'invitations',
  ];
  const parts = tables.map(
    (table) => `SELECT '${table}' AS t, to_jsonb(x)::text AS row FROM ${table} x
    WHERE x.merchant_id = $1`,
  );
  parts.push(`SELECT 'merchants', to_jsonb(x)::text FROM merchants x WHERE id = $1`);
  parts.push(`SELECT 'sessions', to_jsonb(x)::text FROM sessions x WHERE merchant_id = $1`);
  parts.push(`SELECT 'audit_log', to_jsonb(x)::text FROM audit_log x WHERE merchant_id = $1`);
  const { rows } = await database.pool.query(`${parts.join(' UNION ALL ')} ORDER BY 1, 2`, [
    ours.merchantId,
  ]);
  return JSON.stringify(rows);
}

const asText = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each)) ?? '';

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
          // An input that nothing takes: the gate has to speak before anybody looks at it.
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
      const marks = [
        ours.merchantId,
        ours.owner.email,
        victims.invoiceId ?? '',
        'invited-by-victim',
        'secret-path',
        'Victim',
      ];
      for (const environment of ENVIRONMENTS) {
        const session = await sessionFor(theirs.owner.userId);
        const { data } = await call(path, session, inputFor(procedure), environment);
        for (const mark of marks) expect(asText(data)).not.toContain(mark);
      }
      expect(await snapshot()).toBe(before);
    },
  );
});

describe('the walk itself', () => {
  it('finds what an owner sees of their own', async () => {
    const session = await sessionFor(ours.owner.userId);
    const { data } = await call('invoices.list', session, {});
    expect(asText(data)).toContain(victims.invoiceId);
    expect((await call('account.endSession', session, { sessionId: session.id })).code).toBe('OK');
  });

  it('sees no invoice of the other environment', async () => {
    const session = await sessionFor(ours.owner.userId);
    const { data } = await call('invoices.list', session, {}, 'production');
    expect(data).toMatchObject({ invoices: [], nextCursor: null });
  });
});

// Last, for who may do all does it.
describe('a text or an instant that PostgreSQL cannot hold', () => {
  const WITH_INPUT = PROCEDURES.filter(([, procedure]) => inputSchemaOf(procedure) !== null);
  const laterThanAll = Buffer.from('999999999999999:inv_x').toString('base64url');
  const texts = ['\0', 'a\0b', 'a\ud83d', '\ude00b', laterThanAll];
  // The first instant after the year 9999, JavaScript's last one, and what is none at all.
  const odd = [...texts, 253_402_300_800_000, 8_640_000_000_000_000, Number.MAX_SAFE_INTEGER];
  let tried = 0;

  it.each(WITH_INPUT)('%s takes it for no fault of ours', async (path, procedure) => {
    const schema = inputSchemaOf(procedure) ?? {};
    const session = { ...(await sessionFor(ours.owner.userId)), isOperator: true };
    for (const value of odd) {
      for (const [field, input] of oddInputs(schema, '', value)) {
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
