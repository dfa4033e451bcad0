import type { StaffSession } from '#server/auth/sessions.ts';

type Asked = Pick<StaffSession, 'mustSetUpAsOperator' | 'mustSetUpSecondFactor' | 'merchant'>;

/** Who keeps somebody from a page until they have set up a second factor; null for nobody. */
export function demandOf(session: Asked, path: string): 'gateway' | 'merchant' | null {
  if (/^\/operator(?![^/?])/.test(path)) return session.mustSetUpAsOperator ? 'gateway' : null;
  return session.mustSetUpSecondFactor && session.merchant ? 'merchant' : null;
}
