import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { Environment } from '#server/merchants/types.ts';
import type { SavedView } from '#server/trpc/rows.ts';
import { FormField, INPUT } from '../../../_shared/forms/form-field.tsx';
import { daysFilter, ListFilters } from '../../../_shared/lists/list-filters.tsx';
import { queryString } from '../../../_shared/lists/query-text.ts';
import { ViewTabs } from '../../../_shared/lists/view-tabs.tsx';
import {
  ANSWER_CHOICES,
  CALLBACK_STATE_CHOICES,
  type CallbackQuery,
  KIND_CHOICES,
  readCallbackQuery,
} from './callback-query.ts';

/** The views of the callbacks: their states, with the other filters that are set, and one's own. */
export function CallbackViews({
  query,
  views,
  ...shown
}: Props & { environment: Environment; views: SavedView[]; mayKeep: boolean }) {
  const { locale, path } = shown;
  const t = translatorOf(locale, 'dashboard');
  const here = queryString(query);
  const builtIn = (['', ...CALLBACK_STATE_CHOICES] as const).map((state) => ({
    text: state === '' ? t('views.all') : t(`callbackStates.${state}`),
    href: path + queryString(query, { state }),
    isCurrent: state === query.state,
  }));
  const saved = views.map((view) => {
    const search = Object.fromEntries(new URLSearchParams(view.query));
    const own = queryString(readCallbackQuery(search));
    return { ...view, query: own, isCurrent: own === here };
  });
  return <ViewTabs {...shown} {...{ builtIn, saved }} list="callbacks" query={here} />;
}

type Props = { locale: Locale; path: string; query: CallbackQuery };

/** The filters except the state, which the views show. */
export function CallbackFilters({ locale, path, query }: Props) {
  const t = translatorOf(locale, 'dashboard.callbacks');
  return (
    <ListFilters
      locale={locale}
      path={path}
      query={query}
      filters={[
        {
          label: t('host'),
          names: ['host'],
          text: query.host,
          fields: (
            <FormField id="search" label={t('host')}>
              <input
                id="search"
                name="host"
                defaultValue={query.host}
                maxLength={2048}
                placeholder="shop.example"
                autoCapitalize="none"
                spellCheck={false}
                className={INPUT}
              />
            </FormField>
          ),
        },
        daysFilter(query, locale),
        {
          name: 'answer',
          label: t('answer'),
          unset: t('anyAnswer'),
          choices: ANSWER_CHOICES.map((value) => ({ value, text: t(`answers.${value}`) })),
        },
        {
          name: 'kind',
          label: t('kind'),
          unset: t('anyKind'),
          choices: KIND_CHOICES.map((value) => ({ value, text: t(`kinds.${value}`) })),
        },
      ]}
    />
  );
}
