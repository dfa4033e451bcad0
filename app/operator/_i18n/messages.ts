import { requestLocale } from '#app/_i18n/request-locale.ts';
import { en, type OperatorMessages } from './en.ts';
import { ru } from './ru.ts';

export type OperatorLocale = 'en' | 'ru';

/** In what words and whose time a part of a page speaks. */
export type OperatorView = { t: OperatorMessages; locale: OperatorLocale; timeZone: string };

const MESSAGES: Record<OperatorLocale, OperatorMessages> = { en, ru };

/** The operator's pages speak the dashboard's languages. */
export async function operatorMessages(): Promise<{
  locale: OperatorLocale;
  t: OperatorMessages;
}> {
  const locale = (await requestLocale()) === 'ru' ? 'ru' : 'en';
  return { locale, t: MESSAGES[locale] };
}
