import { requestLocale } from '#app/_i18n/request-locale.ts';
import { type PeopleMessages, peopleEn } from './people-en.ts';
import { peopleRu } from './people-ru.ts';

/** What the screens about people say, in the dashboard's languages. */
export async function peopleMessages(): Promise<PeopleMessages> {
  return (await requestLocale()) === 'ru' ? peopleRu : peopleEn;
}
