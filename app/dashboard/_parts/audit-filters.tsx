import type { AuditMessages } from '../_i18n/audit-en.ts';
import { actionName } from '../_i18n/audit-words.ts';
import type { AuditChoices, AuditQuery } from './audit-query.ts';

const INPUT = 'field-input !min-h-10 !py-1.5 !text-base';
const LABEL = 'mb-1 block font-medium text-muted text-sm';

/** A plain form that asks for the same address with other filters: works before any script. */
export function AuditFilters({
  t,
  path,
  query,
  choices,
}: {
  t: AuditMessages;
  path: string;
  query: AuditQuery;
  choices: AuditChoices;
}) {
  return (
    <form
      action={path}
      key={JSON.stringify(query)}
      className="mb-4 grid grid-cols-[repeat(auto-fit,minmax(min(8.5rem,100%),1fr))] items-end gap-3"
    >
      <div className="min-w-0">
        <label htmlFor="person" className={LABEL}>
          {t.person}
        </label>
        <select id="person" name="person" defaultValue={query.person} className={INPUT}>
          <option value="">{t.everybody}</option>
          {choices.people.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          <option value="gateway">{t.gateway}</option>
        </select>
      </div>
      <div className="min-w-0">
        <label htmlFor="action" className={LABEL}>
          {t.action}
        </label>
        <select id="action" name="action" defaultValue={query.action} className={INPUT}>
          <option value="">{t.anything}</option>
          {choices.actions.map((action) => (
            <option key={action} value={action}>
              {actionName(action, t)}
            </option>
          ))}
        </select>
      </div>
      <div className="min-w-0">
        <label htmlFor="from" className={LABEL}>
          {t.from}
        </label>
        <input id="from" name="from" type="date" defaultValue={query.from} className={INPUT} />
      </div>
      <div className="min-w-0">
        <label htmlFor="to" className={LABEL}>
          {t.to}
        </label>
        <input id="to" name="to" type="date" defaultValue={query.to} className={INPUT} />
      </div>
      <div className="flex flex-wrap items-center gap-x-4 max-lg:col-span-full">
        <button type="submit" className="button button-primary !min-h-10 !py-1">
          {t.apply}
        </button>
        {Object.values(query).some((value) => value !== '') && (
          <a href={path} className="link-quiet whitespace-nowrap py-2">
            {t.clear}
          </a>
        )}
      </div>
    </form>
  );
}
