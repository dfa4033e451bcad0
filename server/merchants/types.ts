export const ENVIRONMENTS = ['sandbox', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export const ROLES = [
  'owner',
  'admin',
  'developer',
  'finance',
  'support',
  'cashier',
  'viewer',
] as const;
export type Role = (typeof ROLES)[number];

/** What a token may be allowed to do. */
export const SCOPES = [
  'invoices.write',
  'invoices.read',
  'refunds.write',
  'callbacks.write',
  'sandbox',
] as const;
export type Scope = (typeof SCOPES)[number];

/** A token's scopes where nothing else is said: a stolen one gives no money back. */
export const DEFAULT_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== 'refunds.write');

/** What buyers are told of who gets their money. */
export const SELLER_FIELDS = [
  'legalName',
  'legalAddress',
  'taxNumber',
  'supportEmail',
  'supportPhone',
  'supportTelegram',
  'termsUrl',
  'refundPolicyUrl',
] as const;

/** Each is null where the merchant does not tell it; `supportTelegram` has no @. */
export type SellerDetails = Record<(typeof SELLER_FIELDS)[number], string | null>;

declare const tenantBrand: unique symbol;

/**
 * The data that a query may touch: one merchant in one environment.
 *
 * It is branded, so that a bare merchant id from outside does not fit; only the gates that
 * authenticate (REST, tRPC, the operator's command) call `grantTenant`.
 */
export type Tenant = {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly [tenantBrand]: true;
};

/** Whether both scopes reach the same data. */
export function isSameTenant(one: Tenant, other: Tenant): boolean {
  return one.merchantId === other.merchantId && one.environment === other.environment;
}

/** Whether a path segment names an environment. */
export function isEnvironment(value: string): value is Environment {
  return (ENVIRONMENTS as readonly string[]).includes(value);
}

/** A link for setting a password; its token is stored nowhere else. */
export type PasswordLink = { email: string; token: string; expiresAt: Date };

/** The default time zone of a merchant, an IANA name. */
export const DEFAULT_TIME_ZONE = 'Asia/Tashkent';

/** The largest stored size of a logo. */
export const MAX_LOGO_BYTES = 40 * 1024;

/**
 * The limits of a password's length: at least this many characters (code points), and at most this
 * many UTF-16 units, which is more than any person or password manager makes. NIST SP 800-63B asks
 * for at least 8, and for no rules on the characters.
 */
export const PASSWORD_LENGTH = { least: 12, most: 1_024 } as const;
