import type { Environment, Tenant } from './types.ts';

/**
 * Makes a tenant scope. Call it only where a token, a session or an operator
 * has just been authenticated: the import table names who may.
 */
export function grantTenant(merchantId: string, environment: Environment): Tenant {
  return { merchantId, environment } as Tenant;
}
