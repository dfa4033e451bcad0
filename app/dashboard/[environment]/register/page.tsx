import type { Metadata } from 'next';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { dateFormat } from '#server/lib/formats.ts';
import { type Locale, propertiesOf } from '#server/lib/locales.ts';
import { shiftedDay } from '#server/lib/zone-days.ts';
import { businessSession } from '../../_server/api.ts';
import { ActionButton } from '../../_shared/forms/action-button.tsx';
import { CheckedInput } from '../../_shared/forms/checked-input.tsx';
import { INPUT } from '../../_shared/forms/form-field.tsx';
import { ListKeys } from '../../_shared/lists/list-keys.tsx';
import { queryText, type SearchParams } from '../../_shared/lists/query-text.ts';
import { Notice } from '../../_shared/notice.tsx';
import { PageTitle } from '../../_shared/page-title.tsx';
import { Panel } from '../../_shared/panel.tsx';
import { type RegisterDay, readDay } from './_parts/register-day.ts';
import { RegisterTable } from './_parts/register-table.tsx';
import { RegisterTotals } from './_parts/register-totals.tsx';

type Props = { params: Promise<{ environment: string }>; searchParams: Promise<SearchParams> };

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'register');
  return { title: t('title') };
}

function DayPicker({ locale, path, shown }: { locale: Locale; path: string; shown: RegisterDay }) {
  const t = translatorOf(locale, 'register');
  const { day, today, isOpen } = shown;
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <a href={`${path}?day=${shiftedDay(day, -1)}`} className="button button-plain button-compact">
        {t('dayBefore')}
      </a>
      {!isOpen && (
        <a
          href={`${path}?day=${shiftedDay(day, 1)}`}
          className="button button-plain button-compact"
        >
          {t('dayAfter')}
        </a>
      )}
      <form action={path} className="flex flex-wrap items-center gap-2">
        <CheckedInput
          id="day"
          name="day"
          type="date"
          required
          max={today}
          aria-label={t('day')}
          defaultValue={day}
          key={day}
          className={`${INPUT} !w-auto !px-2.5 !text-sm`}
        />
        <button type="submit" className="button button-plain button-compact">
          {t('show')}
        </button>
      </form>
    </div>
  );
}

/** The payments and refunds of a day in the merchant's zone, and what they come to. */
export default async function RegisterPage({ params, searchParams }: Props) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'register');
  const { session, environment, api } = await businessSession((await params).environment);
  if (!session.merchant) return null;
  const search = await searchParams;
  const { id: merchantId, timeZone } = session.merchant;
  const shown = readDay(search, Date.now(), timeZone);
  const { day } = shown;
  const { permissions } = await api.account.current();
  const cursor = queryText(search.after, 300) || null;
  const page = await api.register.page({ day, cursor, isSummed: true });
  const { rows, nextCursor, totals, isEmailed } = page;
  const base = `/dashboard/${environment}`;
  const path = `${base}/register`;
  const date = dateFormat(propertiesOf(locale).dateTag, { dateStyle: 'full', timeZone: 'UTC' });
  const file = (format: string): string =>
    `${path}/export?${new URLSearchParams({ day, format, merchant: merchantId })}`;
  return (
    <>
      <PageTitle title={t('title')}>
        {(['csv', 'xlsx'] as const).map((format) => (
          <a key={format} href={file(format)} className="button button-plain button-compact">
            {t(format)}
          </a>
        ))}
      </PageTitle>
      <DayPicker locale={locale} path={path} shown={shown} />
      <p className="mb-4 text-muted">
        <span className="font-semibold text-ink first-letter:uppercase">
          {date.format(Date.parse(day))}
        </span>{' '}
        · {t('lead', { zone: timeZone })} {shown.isOpen && t('open')}
      </p>
      {totals.length > 0 && <RegisterTotals locale={locale} totals={totals} />}
      {rows.length > 0 ? (
        <RegisterTable locale={locale} timeZone={timeZone} base={base} rows={rows} />
      ) : (
        <Notice title={t('empty')} text={t('emptyText')} />
      )}
      <nav aria-label={t('pages')} className="mt-4 flex flex-wrap justify-end gap-2">
        {cursor !== null && (
          <a href={`${path}?day=${day}`} className="button button-plain">
            {t('first')}
          </a>
        )}
        {nextCursor !== null && (
          <a
            href={`${path}?${new URLSearchParams({ day, after: nextCursor })}`}
            className="button button-plain"
          >
            {t('later')}
          </a>
        )}
      </nav>
      {isEmailed !== null && permissions.includes('register.email') && (
        <div className="mt-6">
          <Panel id="register-email" title={t('emailTitle')}>
            <p className="mb-3 text-muted">{t(isEmailed ? 'emailOn' : 'emailText')}</p>
            <ActionButton
              environment={environment}
              action={{ does: 'emailRegister', isOn: !isEmailed }}
              label={t(isEmailed ? 'emailStop' : 'emailStart')}
              className="button button-plain button-compact"
            />
          </Panel>
        </div>
      )}
      <ListKeys locale={locale} />
    </>
  );
}
