import { requestLocale } from '#app/_i18n/request-locale.ts';
import { type WorkMessages, workEn } from './work-en.ts';
import { workRu } from './work-ru.ts';

/** What the overview and the work with invoices say, in the dashboard's languages. */
export async function workMessages(): Promise<WorkMessages> {
  return (await requestLocale()) === 'ru' ? workRu : workEn;
}
