import type pg from 'pg';
import { sessionIdOf } from '../auth/next-auth.ts';
import { findSession, type StaffSession } from '../auth/sessions.ts';
import { getPool, isDatabaseBusy } from '../db/pool.ts';
import { GatewayError, reasonOf } from '../lib/errors.ts';
import { grantTenant } from '../merchants/tenant.ts';
import type { Environment, Tenant } from '../merchants/types.ts';

/** The error for a caller while others hold all of the database's connections for too long. */
export function busyError(cause: unknown): GatewayError {
  return new GatewayError('busy', {}, reasonOf(cause));
}

/** A procedure's context before the gate. */
export type RequestContext = {
  db: pg.Pool;
  now: Date;
  session: StaffSession | null;
  /**
   * The session's merchant in the address's environment; also null while the merchant requires a
   * second factor that the person has not set up.
   */
  tenant: Tenant | null;
  /** The caller's network address, for the audit log. */
  address: string | null;
  /** The request's id in the log. */
  requestId?: string;
  /**
   * The merchant whose page makes the call; null where the call does not say. Undefined within the
   * process, where a page reads what it is about to show.
   */
  shownMerchantId?: string | null;
  /** Whether a whole list is read for a file, which only the process itself does. */
  readsFile?: boolean;
  /** The marks in the caller's browser (`browserCookie`), and how to update them. */
  browser?: { marks: string | null; keep: (marks: string) => Promise<void> };
  /** The text of a refusal in the caller's language; English without it. */
  inWords?: (refusal: GatewayError) => string;
};

/** The context of a session that was just looked up: only for gates and tests. */
export function contextOf(
  session: StaffSession | null,
  request: Omit<RequestContext, 'session' | 'tenant'> & { environment: Environment },
): RequestContext {
  const { environment, ...rest } = request;
  const merchantId = session?.mustSetUpSecondFactor ? undefined : session?.merchant?.id;
  return { ...rest, session, tenant: merchantId ? grantTenant(merchantId, environment) : null };
}

/** Any merchant's scope, for the gateway's own staff only. */
export function tenantFor(
  { isOperator }: StaffSession,
  merchantId: string,
  environment: Environment,
): Tenant {
  if (!isOperator) throw new Error('only an operator looks at every merchant');
  return grantTenant(merchantId, environment);
}

/**
 * Authenticates a request of the dashboard by its cookies, which are not passed on.
 *
 * @throws GatewayError `busy` where others hold the database for too long
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
