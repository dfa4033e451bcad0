import { ROLES, type Role } from './types.ts';

const EVERYBODY: readonly Role[] = ['owner', 'admin', 'developer', 'support', 'viewer'];
const CARES_FOR_BUYERS: readonly Role[] = ['owner', 'admin', 'developer', 'support'];
const BUILDS: readonly Role[] = ['owner', 'admin', 'developer'];
const LEADS: readonly Role[] = ['owner', 'admin'];

/** What a member of staff may do, by role. Every procedure of the dashboard names one of these. */
export const PERMISSIONS = {
  /** One's own account: sessions, the merchant that is shown. */
  'account.self': EVERYBODY,
  'invoice.read': EVERYBODY,
  /** Makes a payment link by hand: asks a buyer for money in the merchant's name. */
  'invoice.create': BUILDS,
  'invoice.cancel': CARES_FOR_BUYERS,
  'callback.resend': CARES_FOR_BUYERS,
  /** Makes us call an address of one's choice, with samples. */
  'callback.test': BUILDS,
  'request.read': CARES_FOR_BUYERS,
  'token.read': BUILDS,
  'token.manage': BUILDS,
  'secret.manage': BUILDS,
  'team.read': EVERYBODY,
  'team.manage': LEADS,
  /** What everybody on the staff must do to get in. */
  'team.secure': ['owner'],
  'audit.read': LEADS,
  'settings.manage': LEADS,
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof PERMISSIONS;

/** Whether a role may do something; for gates. */
export function isAllowed(role: Role, permission: Permission): boolean {
  return (PERMISSIONS[permission] as readonly Role[]).includes(role);
}

/** All that a role may do, for screens that hide the rest. */
export function permissionsOf(role: Role): Permission[] {
  return (Object.keys(PERMISSIONS) as Permission[]).filter((each) => isAllowed(role, each));
}

/** Whether who has `role` may give `wanted` to somebody, or take it away: never one above their own. */
export function mayGrant(role: Role, wanted: Role): boolean {
  return ROLES.indexOf(wanted) >= ROLES.indexOf(role);
}
