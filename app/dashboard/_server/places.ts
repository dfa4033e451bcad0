import { surfaceLocale } from '#app/_i18n/request-locale.ts';
import { docsAddress } from '#app/docs/_content/docs-language.ts';
import { localesOf, translatorOf } from '#server/i18n/translator.ts';
import type { Environment } from '#server/merchants/types.ts';
import type { Permission } from '#server/trpc/rows.ts';
import { type Deed, deedsOf } from './deeds.ts';

export type Place = { href: string; text: string; isExact?: boolean };

/**
 * The places somebody can go to: the screens of the navigation, their sub-screens and their
 * actions.
 */
export async function placesOf(
  environment: Environment,
  { isOperator }: { isOperator: boolean },
  { permissions }: { permissions: readonly Permission[] },
): Promise<{ screens: Place[]; more: Place[]; deeds: Deed[] }> {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  const acquirers = translatorOf(locale, 'acquirers');
  const overview = translatorOf(locale, 'overview');
  const register = translatorOf(locale, 'register');
  const base = `/dashboard/${environment}`;
  const newLink = {
    href: `${base}/invoices/new`,
    text: t('invoices.create'),
    needs: 'invoice.create' as const,
  };
  // It is the screen on which a cashier works all day, and one of the deeds of all others.
  const isCashier = !permissions.includes('business.read');
  const screens: (Place & { needs?: Permission })[] = [
    { href: base, text: overview('title'), isExact: true, needs: 'business.read' },
    ...(isCashier ? [newLink] : []),
    { href: `${base}/invoices`, text: t('nav.invoices') },
    { href: `${base}/links`, text: t('links.title') },
    { href: `${base}/register`, text: register('title'), needs: 'business.read' },
    { href: `${base}/callbacks`, text: t('callbacks.title'), needs: 'business.read' },
    { href: `${base}/payment-methods`, text: acquirers('title'), needs: 'business.read' },
    { href: `${base}/developers`, text: t('developers.title'), needs: 'business.read' },
    { href: `${base}/team`, text: t('team.title'), needs: 'team.read' },
    { href: `${base}/audit-log`, text: t('audit.title'), needs: 'audit.read' },
    { href: `${base}/settings`, text: t('settings.title'), needs: 'business.read' },
    { href: `${base}/account`, text: t('nav.account') },
  ];
  const more: (Place & { needs?: Permission })[] = [
    ...(isCashier ? [] : [newLink]),
    { href: `${base}/developers#token-name`, text: t('palette.token'), needs: 'token.manage' },
    {
      href: `${base}/callbacks?state=exhausted`,
      text: t('palette.exhausted'),
      needs: 'business.read',
    },
    {
      href: `${base}/callbacks/test`,
      text: t('endpoint.title'),
      needs: 'callback.test',
    },
    {
      href: `${base}/payment-methods/connect`,
      text: acquirers('connect'),
      needs: 'acquirer.manage',
    },
    {
      href: `${base}/developers/requests`,
      text: t('developers.requests'),
      needs: 'request.read',
    },
    { href: docsAddress('/docs', locale), text: t('developers.docs') },
  ];
  if (isOperator)
    screens.push({ href: '/operator', text: translatorOf(locale, 'operator')('title') });
  const isOpen = ({ needs }: { needs?: Permission }): boolean =>
    needs === undefined || permissions.includes(needs);
  const bare = ({ needs: _, ...place }: Place & { needs?: Permission }): Place => place;
  return {
    screens: screens.filter(isOpen).map(bare),
    more: more.filter(isOpen).map(bare),
    deeds: deedsOf(environment, permissions, { t, locale, locales: localesOf('dashboard') }),
  };
}
