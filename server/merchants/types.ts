export const ENVIRONMENTS = ['sandbox', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export const ROLES = ['owner', 'admin', 'developer', 'support', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

declare const tenantBrand: unique symbol;

/**
 * Whose data a query may touch: one merchant in one environment.
 *
 * Branded, so that a bare merchant id from outside does not fit; only the gates
 * that authenticate (REST, tRPC, the operator's command) call `grantTenant`.
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

/** A link by which somebody sets a password; its token is nowhere else. */
export type PasswordLink = { email: string; token: string; expiresAt: Date };

/** The time zone of a merchant for whom none is named, by IANA's name. */
export const DEFAULT_TIME_ZONE = 'Asia/Tashkent';

/** How much a logo has at most, as it is kept. */
export const MAX_LOGO_BYTES = 40 * 1024;

/**
 * How long a password may be: at least so many characters (code points), and at most so many UTF-16
 * units, more than any that a person or a manager makes. NIST SP 800-63B asks for 8 at least, and for
 * no rules on which characters.
 */
export const PASSWORD_LENGTH = { least: 12, most: 1_024 } as const;
