import { translatorOf } from '#server/i18n/translator.ts';
import { type Locale, propertiesOf } from '#server/lib/locales.ts';
import { FormField, INPUT } from '../../../_shared/forms/form-field.tsx';
import type { InvoiceQuery } from './invoice-query.ts';

/** Offers the whole list as a file; the browser's own popover and form, no script. */
export function ExportMenu({
  locale,
  query,
  path,
  merchantId,
  zones,
}: {
  locale: Locale;
  query: InvoiceQuery;
  path: string;
  /** The merchant whose list this page shows. */
  merchantId: string;
  zones: { viewer: string; merchant: string };
}) {
  const t = translatorOf(locale, 'dashboard.invoices');
  // Spreadsheets in the reader's language read this separator.
  const usual = propertiesOf(locale).csvSeparator === ';' ? 'semicolon' : 'comma';
  const { columns: _, ...filters } = query;
  const choices = [
    { zone: zones.viewer, text: t('yourZone') },
    { zone: zones.merchant, text: t('merchantZone') },
    { zone: 'UTC', text: 'UTC' },
  ].filter(({ zone }, index, all) => all.findIndex((each) => each.zone === zone) === index);
  return (
    <>
      <button
        type="button"
        popoverTarget="export"
        className="button button-plain button-compact [anchor-name:--export]"
      >
        {t('export')}
      </button>
      <form
        id="export"
        popover="auto"
        action={`${path}/export`}
        className="card below-opener w-72 p-4 text-ink [position-anchor:--export]"
      >
        {Object.entries(filters).map(([name, value]) =>
          value === '' ? null : <input key={name} type="hidden" name={name} value={value} />,
        )}
        <input type="hidden" name="merchant" value={merchantId} />
        <p className="mb-3 text-muted text-sm">{t('exportText')}</p>
        <FormField id="export-zone" label={t('zone')}>
          <select id="export-zone" name="zone" className={INPUT}>
            {choices.map(({ zone, text }) => (
              <option key={zone} value={zone}>
                {zone === text ? text : `${text} (${zone})`}
              </option>
            ))}
          </select>
        </FormField>
        <FormField id="export-separator" label={t('separators')} className="mt-3">
          <select id="export-separator" name="separator" defaultValue={usual} className={INPUT}>
            <option value="comma">{t('comma')}</option>
            <option value="semicolon">{t('semicolon')}</option>
          </select>
        </FormField>
        <button type="submit" className="button button-primary mt-4 w-full">
          {t('download')}
        </button>
      </form>
    </>
  );
}
