import type { DashboardMessages } from '../_i18n/en.ts';
import { ANSWER_CHOICES, CALLBACK_STATE_CHOICES, type CallbackQuery } from './callback-query.ts';
import { FilterFold } from './filter-fold.tsx';
import { FormField, INPUT } from './form-field.tsx';
import { hasAny, queryString } from './query-text.ts';

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

type Props = { t: DashboardMessages; path: string; query: CallbackQuery };

/** States as links, the rest as a plain form for the same address: works before any script. */
export function CallbackFilters(props: Props) {
  const { t, path, query } = props;
  const words = t.callbacks;
  const { state, ...others } = query;
  return (
    <div className="mb-4 grid gap-3">
      <StateLinks {...props} />
      <form action={path} key={JSON.stringify(query)}>
        {state !== '' && <input type="hidden" name="state" value={state} />}
        <FilterFold t={words} isOpen={hasAny(others)} path={path}>
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
            <FormField id="answer" label={words.answer}>
              <select id="answer" name="answer" defaultValue={query.answer} className={INPUT}>
                <option value="">{words.anyAnswer}</option>
                {ANSWER_CHOICES.map((each) => (
                  <option key={each} value={each}>
                    {words.answers[each]}
                  </option>
                ))}
              </select>
            </FormField>
            <FormField id="from" label={words.from}>
              <input
                id="from"
                name="from"
                type="date"
                defaultValue={query.from}
                className={INPUT}
              />
            </FormField>
            <FormField id="to" label={words.to}>
              <input id="to" name="to" type="date" defaultValue={query.to} className={INPUT} />
            </FormField>
          </div>
        </FilterFold>
      </form>
    </div>
  );
}
