import type { AuditItem } from '#server/trpc/rows.ts';

/** The screen of an entry's subject; null where it has none. */
export function targetHref(
  { action, target }: Pick<AuditItem, 'action' | 'target'>,
  base: string,
): string | null {
  switch (target?.type) {
    case 'invoice': {
      // A callback is named by its invoice's id.
      const list = action.startsWith('callback.') ? 'callbacks' : 'invoices';
      return `${base}/${list}/${encodeURIComponent(target.id)}`;
    }
    case 'event':
      return `${base}/callbacks/${encodeURIComponent(target.id)}`;
    case 'link':
      return `${base}/links/${encodeURIComponent(target.id)}`;
    case 'token':
      return `${base}/developers#tokens`;
    case 'invitation':
      return `${base}/team`;
    case 'user':
      // Any other change to an account is one to the person's own account.
      return action.startsWith('member.') ? `${base}/team` : null;
    default:
      return null;
  }
}
