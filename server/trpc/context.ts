import type pg from 'pg';
import { sessionIdOf } from '../auth/next-auth.ts';
import { findSession, type StaffSession } from '../auth/sessions.ts';
import { getPool, isDatabaseBusy } from '../db/pool.ts';
import { GatewayError, reasonOf } from '../lib/errors.ts';
import { grantTenant } from '../merchants/tenant.ts';
import type { Environment, Tenant } from '../merchants/types.ts';

/** What a caller is told where others have kept all of the database's connections for too long. */
export function busyError(cause: unknown): GatewayError {
  return new GatewayError('busy', {}, reasonOf(cause));
}

/** What a procedure starts from, before the gate. */
export type RequestContext = {
  db: pg.Pool;
  now: Date;
  session: StaffSession | null;
  /**
   * The session's merchant in the environment that the address names; null as well while the
   * merchant demands a second factor that the person has not set up.
   */
  tenant: Tenant | null;
  /** The caller's network address, for the audit log. */
  address: string | null;
  /** Under which the log tells of the request. */
  requestId?: string;
  /**
   * The merchant whose page the call comes from, null where the call does not say. Undefined
   * within the process, where a page reads what it is about to show.
   */
  shownMerchantId?: string | null;
  /** Whether a whole list is being read for a file, which nobody does but the process itself. */
  readsFile?: boolean;
  /** What the caller's browser keeps of sign-ins (`browserCookie`), and how it is given something newer. */
  browser?: { marks: string | null; keep: (marks: string) => Promise<void> };
  /** Says in the caller's language why something is refused; without it English is spoken. */
  inWords?: (refusal: GatewayError) => string;
};

/** The context of a session that was just looked up; a gate's work, so only for gates and tests. */
export function contextOf(
  session: StaffSession | null,
  request: Omit<RequestContext, 'session' | 'tenant'> & { environment: Environment },
): RequestContext {
  const { environment, ...rest } = request;
  const merchantId = session?.mustSetUpSecondFactor ? undefined : session?.merchant?.id;
  return { ...rest, session, tenant: merchantId ? grantTenant(merchantId, environment) : null };
}

/** Any merchant's scope, for the gateway's own staff and nobody else. */
export function tenantFor(
  { isOperator }: StaffSession,
  merchantId: string,
  environment: Environment,
): Tenant {
  if (!isOperator) throw new Error('only an operator looks at every merchant');
  return grantTenant(merchantId, environment);
}

/**
 * Authenticates a request of the dashboard by its cookies, which go no further.
 *
 * @throws GatewayError `busy` where others keep the database for too long
 */
export async function createContext({
  cookies,
  ...request
}: Omit<Parameters<typeof contextOf>[1], 'db' | 'now'> & {
  cookies: Record<string, string>;
}): Promise<RequestContext> {
  const db = getPool();
  const sessionId = await sessionIdOf(cookies);
  try {
    const now = new Date();
    const session = sessionId === null ? null : await findSession(db, sessionId, now);
    return contextOf(session, { ...request, db, now });
  } catch (error) {
    throw isDatabaseBusy(error) ? busyError(error) : error;
  }
}
