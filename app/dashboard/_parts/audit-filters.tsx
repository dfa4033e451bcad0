import type { AuditMessages } from '../_i18n/audit-en.ts';
import { actionName, actorName } from '../_i18n/audit-words.ts';
import type { AuditChoices, AuditQuery } from './audit-query.ts';
import { FormField, INPUT } from './form-field.tsx';
import { hasAny } from './query-text.ts';

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
      className="mb-4 grid grid-cols-[repeat(auto-fit,minmax(min(9.5rem,100%),1fr))] items-end gap-3"
    >
      <FormField id="person" label={t.person}>
        <select id="person" name="person" defaultValue={query.person} className={INPUT}>
          <option value="">{t.everybody}</option>
          {choices.people.map(({ id, name }) => (
            <option key={id} value={id}>
              {actorName(name, t)}
            </option>
          ))}
          <option value="gateway">{t.gateway}</option>
        </select>
      </FormField>
      <FormField id="action" label={t.action}>
        <select id="action" name="action" defaultValue={query.action} className={INPUT}>
          <option value="">{t.anything}</option>
          {choices.actions.map((action) => (
            <option key={action} value={action}>
              {actionName(action, t)}
            </option>
          ))}
        </select>
      </FormField>
      <FormField id="from" label={t.from}>
        <input id="from" name="from" type="date" defaultValue={query.from} className={INPUT} />
      </FormField>
      <FormField id="to" label={t.to}>
        <input id="to" name="to" type="date" defaultValue={query.to} className={INPUT} />
      </FormField>
      <div className="flex flex-wrap items-center gap-x-4 max-lg:col-span-full">
        <button type="submit" className="button button-primary button-compact">
          {t.apply}
        </button>
        {hasAny(query) && (
          <a href={path} className="link-quiet whitespace-nowrap py-2">
            {t.clear}
          </a>
        )}
      </div>
    </form>
  );
}
