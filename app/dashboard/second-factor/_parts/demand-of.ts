import type { StaffSession } from '#server/auth/sessions.ts';

type Asked = Pick<StaffSession, 'mustSetUpAsOperator' | 'mustSetUpSecondFactor' | 'merchant'>;

/** The party that keeps somebody from a page until they set up a second factor; null for none. */
export function demandOf(session: Asked, path: string): 'gateway' | 'merchant' | null {
  if (/^\/operator(?![^/?])/.test(path)) return session.mustSetUpAsOperator ? 'gateway' : null;
  return session.mustSetUpSecondFactor && session.merchant ? 'merchant' : null;
}
