import type { AuditItem } from '#server/trpc/rows.ts';

/** The screen of what an entry is about; null where it has none. */
export function targetHref(
  { action, target }: Pick<AuditItem, 'action' | 'target'>,
  base: string,
): string | null {
  switch (target?.type) {
    case 'invoice': {
      // A callback has its invoice's id.
      const list = action.startsWith('callback.') ? 'callbacks' : 'invoices';
      return `${base}/${list}/${encodeURIComponent(target.id)}`;
    }
    case 'token':
      return `${base}/developers#tokens`;
    case 'invitation':
      return `${base}/team`;
    case 'user':
      // All else that somebody did with an account was with their own.
      return action.startsWith('member.') ? `${base}/team` : null;
    default:
      return null;
  }
}
