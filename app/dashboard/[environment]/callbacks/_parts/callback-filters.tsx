import type { DashboardMessages } from '../../../_i18n/en.ts';
import type { DashboardLocale } from '../../../_i18n/messages.ts';
import { FormField, INPUT } from '../../../_shared/forms/form-field.tsx';
import {
  ChoiceField,
  DayFields,
  daysInWords,
  type FilterInWords,
  ListFilters,
} from '../../../_shared/lists/list-filters.tsx';
import { queryString } from '../../../_shared/lists/query-text.ts';
import { ANSWER_CHOICES, CALLBACK_STATE_CHOICES, type CallbackQuery } from './callback-query.ts';

function StateLinks({ t, path, query }: Props) {
  const links = [
    { value: '' as const, text: t.callbacks.all },
    ...CALLBACK_STATE_CHOICES.map((value) => ({ value, text: t.callbackStates[value] })),
  ];
  return (
    <nav aria-label={t.callbacks.states}>
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

type Props = {
  t: DashboardMessages;
  locale: DashboardLocale;
  path: string;
  query: CallbackQuery;
};

/** The filters but the state, which the links show. */
function filtersOf({ t, locale, query }: Props): FilterInWords<CallbackQuery>[] {
  const { host, answer } = query;
  const { callbacks: words } = t;
  return [
    { name: 'host', label: words.host, text: host },
    { name: 'answer', label: words.answer, text: answer && words.answers[answer] },
    ...daysInWords(query, t.filters, locale),
  ];
}

/** States as links, what else the callbacks are narrowed by in a fold. */
export function CallbackFilters(props: Props) {
  const { t, path, query } = props;
  const words = t.callbacks;
  return (
    <div className="grid grid-cols-1 gap-3">
      <StateLinks {...props} />
      <ListFilters t={t.filters} path={path} query={query} filters={filtersOf(props)}>
        {query.state !== '' && <input type="hidden" name="state" value={query.state} />}
        <div className="mt-2 grid grid-cols-2 gap-3 sm:grid-cols-4">
          <FormField id="search" label={words.host}>
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
            label={words.answer}
            value={query.answer}
            any={words.anyAnswer}
            choices={ANSWER_CHOICES.map((value) => ({ value, text: words.answers[value] }))}
          />
          <DayFields t={t.filters} query={query} />
        </div>
      </ListFilters>
    </div>
  );
}
