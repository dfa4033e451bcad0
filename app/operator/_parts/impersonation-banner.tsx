import { surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { dateFormat } from '#server/lib/formats.ts';
import { propertiesOf } from '#server/lib/locales.ts';
import { isolated } from '../../_i18n/isolated.ts';
import { ActionButton } from '../../dashboard/_shared/forms/action-button.tsx';

/** Stays in sight while an operator sees a merchant's dashboard. */
export async function ImpersonationBanner({
  merchant,
  untilMs,
  timeZone,
}: {
  merchant: { id: string; name: string };
  untilMs: number;
  timeZone: string;
}) {
  const locale = await surfaceLocale('operator');
  const t = translatorOf(locale, 'operator.impersonation');
  const time = dateFormat(propertiesOf(locale).dateTag, {
    timeStyle: 'short',
    timeZone,
  });
  return (
    <aside
      aria-label={t('label')}
      className="sticky top-0 z-10 flex flex-wrap items-center gap-x-4 gap-y-2 bg-accent px-4 py-2 text-[0.9375rem] text-on-accent md:px-8"
    >
      <p className="min-w-0 flex-1 basis-64">
        {t('text')} <strong className="font-semibold">{isolated(merchant.name)}</strong>{' '}
        {t('until')} {time.format(untilMs)}. {t('note')}
      </p>
      <ActionButton
        environment="sandbox"
        action={{ does: 'endImpersonation' }}
        label={t('end')}
        done={t('ended')}
        goTo={`/operator/merchants/${merchant.id}`}
        className="rounded-lg border border-current px-3 py-1 font-semibold hover:underline"
      />
    </aside>
  );
}
