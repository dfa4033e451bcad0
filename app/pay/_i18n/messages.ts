import type { Locale } from '#server/lib/locales.ts';
import { en, type PayMessages } from './en.ts';
import { ru } from './ru.ts';
import { uz } from './uz.ts';

const MESSAGES: Record<Locale, PayMessages> = { en, ru, uz };

/** The payment page's words. Only the server loads them; the browser gets the few it shows. */
export function payMessages(locale: Locale): PayMessages {
  return MESSAGES[locale];
}
