import type { Environment } from '#server/merchants/types.ts';
import type { Permission } from '#server/trpc/rows.ts';
import { operatorMessages } from '../../operator/_i18n/messages.ts';
import { auditMessages } from '../_i18n/audit-words.ts';
import { dashboardMessages } from '../_i18n/messages.ts';
import { peopleMessages } from '../_i18n/people-messages.ts';
import { workMessages } from '../_i18n/work-messages.ts';

export type Place = { href: string; text: string; isExact?: boolean };

/**
 * Where somebody can go: the screens of the navigation, and what lies
 * behind them or is done there.
 */
export async function placesOf(
  environment: Environment,
  { isOperator }: { isOperator: boolean },
  { permissions }: { permissions: readonly Permission[] },
): Promise<{ screens: Place[]; more: Place[] }> {
  const [{ t }, people, audit, work] = await Promise.all([
    dashboardMessages(),
    peopleMessages(),
    auditMessages(),
    workMessages(),
  ]);
  const base = `/dashboard/${environment}`;
  const screens: (Place & { needs?: Permission })[] = [
    { href: base, text: work.overview.title, isExact: true },
    { href: `${base}/invoices`, text: t.nav.invoices },
    { href: `${base}/callbacks`, text: t.callbacks.title },
    { href: `${base}/developers`, text: t.developers.title },
    { href: `${base}/team`, text: people.team.title },
    { href: `${base}/audit-log`, text: audit.title, needs: 'audit.read' },
    { href: `${base}/settings`, text: t.settings.title },
    { href: `${base}/account`, text: t.nav.account },
  ];
  const more: (Place & { needs?: Permission })[] = [
    { href: `${base}/invoices/new`, text: work.list.create, needs: 'invoice.create' },
    { href: `${base}/developers#token-name`, text: work.palette.token, needs: 'token.manage' },
    { href: `${base}/callbacks?state=exhausted`, text: work.palette.exhausted },
    { href: `${base}/callbacks/test`, text: t.callbacks.test.title, needs: 'callback.test' },
    { href: `${base}/developers/requests`, text: t.developers.requests, needs: 'request.read' },
    { href: '/docs', text: t.developers.docs },
  ];
  if (isOperator) screens.push({ href: '/operator', text: (await operatorMessages()).t.title });
  const isOpen = ({ needs }: { needs?: Permission }): boolean =>
    needs === undefined || permissions.includes(needs);
  const bare = ({ needs: _, ...place }: Place & { needs?: Permission }): Place => place;
  return { screens: screens.filter(isOpen).map(bare), more: more.filter(isOpen).map(bare) };
}
