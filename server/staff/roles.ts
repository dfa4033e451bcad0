import { ROLES, type Role } from '../merchants/types.ts';

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
  /** Makes tokens, in place of others too. */
  'token.manage': BUILDS,
  'token.deactivate': BUILDS,
  'secret.manage': BUILDS,
  'team.read': EVERYBODY,
  'team.manage': LEADS,
  /** Sends an e-mail in the merchant's name to anybody. */
  'team.invite': LEADS,
  /** What everybody on the staff must do to get in. */
  'team.secure': ['owner'],
  'audit.read': LEADS,
  'settings.manage': LEADS,
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof PERMISSIONS;

/** A member of a merchant's staff, as gates look at them. */
export type Member = { role: Role; status: 'active' | 'suspended' };

// Staff of a suspended merchant read, and take away: access, and invoices that buyers would still pay.
const WHILE_SUSPENDED: readonly Permission[] = [
  'account.self',
  'invoice.read',
  'invoice.cancel',
  'request.read',
  'token.read',
  'token.deactivate',
  'team.read',
  'team.manage',
  'team.secure',
  'audit.read',
];

/** Whether a permission rests while the merchant is suspended. */
export function isResting({ status }: Member, permission: Permission): boolean {
  return status === 'suspended' && !WHILE_SUSPENDED.includes(permission);
}

/** Whether a member may do something; for gates. */
export function isAllowed(member: Member, permission: Permission): boolean {
  const roles: readonly Role[] = PERMISSIONS[permission];
  return roles.includes(member.role) && !isResting(member, permission);
}

/** All that a member may do, for screens that hide the rest. */
export function permissionsOf(member: Member): Permission[] {
  return (Object.keys(PERMISSIONS) as Permission[]).filter((each) => isAllowed(member, each));
}

/** Whether who has `role` may give `wanted` to somebody, or take it away: never one above their own. */
export function mayGrant(role: Role, wanted: Role): boolean {
  return ROLES.indexOf(wanted) >= ROLES.indexOf(role);
}
