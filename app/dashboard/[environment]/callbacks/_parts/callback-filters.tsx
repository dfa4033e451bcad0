import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { FormField, INPUT } from '../../../_shared/forms/form-field.tsx';
import { daysFilter, ListFilters } from '../../../_shared/lists/list-filters.tsx';
import { queryString } from '../../../_shared/lists/query-text.ts';
import {
  ANSWER_CHOICES,
  CALLBACK_STATE_CHOICES,
  type CallbackQuery,
  KIND_CHOICES,
} from './callback-query.ts';

function StateLinks({ locale, path, query }: Props) {
  const t = translatorOf(locale, 'dashboard');
  const links = [
    { value: '' as const, text: t('callbacks.all') },
    ...CALLBACK_STATE_CHOICES.map((value) => ({ value, text: t(`callbackStates.${value}`) })),
  ];
  return (
    <nav aria-label={t('callbacks.states')}>
      <ul className="flex flex-wrap gap-2 text-sm">
        {links.map(({ value, text }) => (
          <li key={value}>
            <a
              href={path + queryString(query, { state: value })}
              aria-current={value === query.state ? 'true' : undefined}
              className={`inline-block rounded-full border px-3 py-1.5 ${
                value === query.state
                  ? 'border-accent font-semibold text-accent'
                  : 'border-line text-muted hover:border-control hover:text-ink'
              }`}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type Props = { locale: Locale; path: string; query: CallbackQuery };

/** The states as links, and the other filters as pills. */
export function CallbackFilters(props: Props) {
  const { locale, path, query } = props;
  const t = translatorOf(locale, 'dashboard.callbacks');
  return (
    <div className="grid grid-cols-1 gap-3">
      <StateLinks {...props} />
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
            any: t('anyAnswer'),
            choices: ANSWER_CHOICES.map((value) => ({ value, text: t(`answers.${value}`) })),
          },
          {
            name: 'kind',
            label: t('kind'),
            any: t('anyKind'),
            choices: KIND_CHOICES.map((value) => ({ value, text: t(`kinds.${value}`) })),
          },
        ]}
      />
    </div>
  );
}
