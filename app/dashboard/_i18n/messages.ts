import { requestLocale } from '#app/_i18n/request-locale.ts';
import { type DashboardMessages, en } from './en.ts';
import { ru } from './ru.ts';

export const DASHBOARD_LOCALES = ['en', 'ru'] as const;
export type DashboardLocale = (typeof DASHBOARD_LOCALES)[number];

const MESSAGES: Record<DashboardLocale, DashboardMessages> = { en, ru };

/** The dashboard speaks English and Russian; who asked for another language reads English. */
export async function dashboardMessages(): Promise<{
  locale: DashboardLocale;
  t: DashboardMessages;
}> {
  const locale = (await requestLocale()) === 'ru' ? 'ru' : 'en';
  return { locale, t: MESSAGES[locale] };
}
