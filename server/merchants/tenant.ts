import type { Environment, Tenant } from './types.ts';

/**
 * Makes a tenant scope. Call it only right after authenticating a token, a session or an operator:
 * the import table lists the allowed callers.
 */
export function grantTenant(merchantId: string, environment: Environment): Tenant {
  return { merchantId, environment } as Tenant;
}
