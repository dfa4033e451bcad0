import { ROLES, type Role } from '../merchants/types.ts';

const EVERYBODY: readonly Role[] = ROLES;
/** Asks buyers for money, and sees whether it came; nothing else of the business. */
const CASHIER: Role = 'cashier';
const KNOWS_THE_BUSINESS = EVERYBODY.filter((role) => role !== CASHIER);
const CARES_FOR_BUYERS: readonly Role[] = ['owner', 'admin', 'developer', 'support'];
const BUILDS: readonly Role[] = ['owner', 'admin', 'developer'];
const LEADS: readonly Role[] = ['owner', 'admin'];
/** Reads everything there is to read, and gives money back. */
const FINANCE: Role = 'finance';

/** What staff may do, by role. Every procedure of the dashboard names one of these. */
export const PERMISSIONS = {
  /** One's own account: sessions, the selected merchant. */
  'account.self': EVERYBODY,
  /** Chooses what one is told of the merchant. */
  'notices.choose': EVERYBODY,
  /** Keeps lists under names of one's own. */
  'views.keep': EVERYBODY,
  'invoice.read': EVERYBODY,
  /** Makes a payment link by hand: asks a buyer for money in the merchant's name. */
  'invoice.create': [...CARES_FOR_BUYERS, CASHIER],
  /** Reads the figures, callbacks, accounts at acquirers and settings; downloads lists. */
  'business.read': KNOWS_THE_BUSINESS,
  /** Gets the register of each day by e-mail. */
  'register.email': KNOWS_THE_BUSINESS,
  /** Says for all staff that what waits on the overview was seen. */
  'attention.acknowledge': [...CARES_FOR_BUYERS, FINANCE],
  'invoice.cancel': CARES_FOR_BUYERS,
  /** Gives buyers their money back. */
  'refunds.write': [...LEADS, FINANCE],
  'callback.resend': CARES_FOR_BUYERS,
  /** Sends a buyer the payment confirmation again, to any address. */
  'receipt.resend': CARES_FOR_BUYERS,
  /** Sends sample callbacks to an address of one's choice. */
  'callback.test': BUILDS,
  'request.read': [...CARES_FOR_BUYERS, FINANCE],
  'token.read': [...BUILDS, FINANCE],
  /** Makes tokens, including replacements. */
  'token.manage': BUILDS,
  'token.deactivate': BUILDS,
  'secret.manage': BUILDS,
  /** Chooses where events are sent, and which. */
  'events.manage': BUILDS,
  'team.read': KNOWS_THE_BUSINESS,
  'team.manage': LEADS,
  /** Sends an e-mail in the merchant's name to anybody. */
  'team.invite': LEADS,
  /** What all staff must do to get in. */
  'team.secure': ['owner'],
  'audit.read': [...LEADS, FINANCE],
  'settings.manage': LEADS,
  /** Decides where buyers' money goes. */
  'acquirer.manage': LEADS,
  /** Switches accounts at acquirers off, or disconnects them. */
  'acquirer.switch_off': LEADS,
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof PERMISSIONS;

/**
 * A member of a merchant's staff, as gates see them.
 *
 * @property isActing an operator who acts for the merchant
 */
export type Member = { role: Role; status: 'active' | 'suspended'; isActing?: boolean };

// Staff of a suspended merchant read, and revoke: access, and invoices still payable.
const WHILE_SUSPENDED: readonly Permission[] = [
  'account.self',
  'invoice.read',
  'business.read',
  'invoice.cancel',
  'request.read',
  'token.read',
  'token.deactivate',
  'team.read',
  'team.manage',
  'team.secure',
  'audit.read',
  'acquirer.switch_off',
];

// An operator asks nobody for money in a merchant's name, and keeps nothing there.
const OF_MEMBERS: readonly Permission[] = ['invoice.create', 'views.keep'];

/** Whether a permission is unavailable while the merchant is suspended. */
export function isResting({ status }: Member, permission: Permission): boolean {
  return status === 'suspended' && !WHILE_SUSPENDED.includes(permission);
}

/** Whether a member may do something; for gates. */
export function isAllowed(member: Member, permission: Permission): boolean {
  if (member.isActing && OF_MEMBERS.includes(permission)) return false;
  const roles: readonly Role[] = PERMISSIONS[permission];
  return roles.includes(member.role) && !isResting(member, permission);
}

/** All permissions of a member, for screens that hide the rest. */
export function permissionsOf(member: Member): Permission[] {
  return (Object.keys(PERMISSIONS) as Permission[]).filter((each) => isAllowed(member, each));
}

/** Whether somebody with `role` may give or take `wanted`: never one above their own. */
export function mayGrant(role: Role, wanted: Role): boolean {
  return ROLES.indexOf(wanted) >= ROLES.indexOf(role);
}
