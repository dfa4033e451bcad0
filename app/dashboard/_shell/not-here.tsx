import { isolated } from '#app/_i18n/isolated.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { Environment } from '#server/merchants/types.ts';
import type { InvoicePlaceView } from '#server/trpc/rows.ts';
import { ActionButton } from '../_shared/forms/action-button.tsx';
import { Notice } from '../_shared/notice.tsx';

/** The place of the screen that has nothing to show. */
type Here = { merchantId: string; environment: Environment; list: 'invoices' | 'callbacks' };

/** The way there: one press, which first switches to the other merchant if it is another's. */
function Way({
  locale,
  here: { merchantId, environment, list },
  invoiceId,
  place,
}: {
  locale: Locale;
  here: Here;
  invoiceId: string;
  place: InvoicePlaceView;
}) {
  const t = translatorOf(locale, 'dashboard.notFound.elsewhere');
  const href = `/dashboard/${place.environment}/${list}/${encodeURIComponent(invoiceId)}`;
  const look = 'button button-primary';
  if (place.merchant.id === merchantId) {
    return (
      <a href={href} className={look}>
        {t('open')}
      </a>
    );
  }
  return (
    <ActionButton
      environment={environment}
      action={{ does: 'switchMerchant', merchantId: place.merchant.id }}
      goTo={href}
      label={t('open')}
      className={`${look} needs-script`}
    />
  );
}

/**
 * Stands in for an invoice or callback that is not here: its place, if the viewer may see it there.
 *
 * @param props.place null if they may not see it anywhere, or it does not exist
 */
export function NotHere({
  locale,
  here,
  invoiceId,
  place,
  missing,
  back,
}: {
  locale: Locale;
  here: Here;
  invoiceId: string;
  place: InvoicePlaceView | null;
  missing: { title: string; text: string };
  back: string;
}) {
  const t = translatorOf(locale, 'dashboard.notFound.elsewhere');
  const words = place
    ? {
        title: here.list === 'invoices' ? t('invoice') : t('callback'),
        text: t(`text.${place.environment}`, { merchant: isolated(place.merchant.name) }),
      }
    : missing;
  return (
    <Notice isScreen title={words.title} text={words.text}>
      <p className="mt-3 flex flex-wrap justify-center gap-2">
        {place && <Way {...{ locale, here, invoiceId, place }} />}
        <a href={`/dashboard/${here.environment}/${here.list}`} className="button button-plain">
          {back}
        </a>
      </p>
    </Notice>
  );
}
