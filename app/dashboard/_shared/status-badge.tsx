import { Badge, type BadgeTone } from '#app/_ui/badge.tsx';
import type { CallbackState } from '#server/callbacks/types.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import type { InvoiceStatus } from '#server/invoices/types.ts';
import type { Locale } from '#server/lib/locales.ts';

const TONES: Record<InvoiceStatus, BadgeTone> = {
  PENDING: 'caution',
  PAID: 'positive',
  EXPIRED: 'plain',
  CANCELED: 'plain',
};

/** An invoice's status in words and colour. */
export function StatusBadge({ status, label }: { status: InvoiceStatus; label: string }) {
  return <Badge tone={TONES[status]}>{label}</Badge>;
}

const STATE_TONES: Record<CallbackState, BadgeTone> = {
  pending: 'caution',
  delivered: 'positive',
  exhausted: 'negative',
};

/**
 * A callback's state in words and colour.
 *
 * @param props.narrowName what the state is of, where no column's head says it
 */
export function CallbackBadge({
  state,
  label,
  narrowName,
}: {
  state: CallbackState;
  label: string;
  narrowName?: string;
}) {
  return (
    <Badge tone={STATE_TONES[state]}>
      {narrowName && <span className="@4xl:hidden">{narrowName}:&nbsp;</span>}
      <span className={narrowName && '@max-4xl:lowercase'}>{label}</span>
    </Badge>
  );
}

/** What became of a callback's invoice, as text: one badge a line is enough. */
export function InvoiceNow({ locale, status }: { locale: Locale; status: InvoiceStatus }) {
  const t = translatorOf(locale, 'dashboard');
  return (
    <span className="whitespace-nowrap text-muted text-sm">
      {t('callbacks.invoice')} <span className="lowercase">{t(`statuses.${status}`)}</span>
    </span>
  );
}
