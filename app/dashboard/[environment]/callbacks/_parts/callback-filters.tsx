import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { FormField, INPUT } from '../../../_shared/forms/form-field.tsx';
import {
  ChoiceField,
  DayFields,
  daysInWords,
  type FilterInWords,
  ListFilters,
} from '../../../_shared/lists/list-filters.tsx';
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

/** The filters except the state, which the links show. */
function filtersOf({ locale, query }: Props): FilterInWords<CallbackQuery>[] {
  const t = translatorOf(locale, 'dashboard.callbacks');
  const { kind, host, answer } = query;
  return [
    { name: 'kind', label: t('kind'), text: kind && t(`kinds.${kind}`) },
    { name: 'host', label: t('host'), text: host },
    {
      name: 'answer',
      label: t('answer'),
      text: answer && t(`answers.${answer}`),
    },
    ...daysInWords(query, locale),
  ];
}

/** The states as links, and the other filters in a fold. */
export function CallbackFilters(props: Props) {
  const { locale, path, query } = props;
  const t = translatorOf(locale, 'dashboard.callbacks');
  return (
    <div className="grid grid-cols-1 gap-3">
      <StateLinks {...props} />
      <ListFilters locale={locale} path={path} query={query} filters={filtersOf(props)}>
        {query.state !== '' && <input type="hidden" name="state" value={query.state} />}
        <div className="mt-2 grid grid-cols-2 gap-3 sm:grid-cols-5">
          <ChoiceField
            name="kind"
            label={t('kind')}
            value={query.kind}
            any={t('anyKind')}
            choices={KIND_CHOICES.map((value) => ({ value, text: t(`kinds.${value}`) }))}
          />
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
          <ChoiceField
            name="answer"
            label={t('answer')}
            value={query.answer}
            any={t('anyAnswer')}
            choices={ANSWER_CHOICES.map((value) => ({ value, text: t(`answers.${value}`) }))}
          />
          <DayFields locale={locale} query={query} />
        </div>
      </ListFilters>
    </div>
  );
}
