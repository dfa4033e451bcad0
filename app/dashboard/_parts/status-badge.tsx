import type { InvoiceStatus } from '#server/invoices/types.ts';
import type { DashboardMessages } from '../_i18n/en.ts';

const TONES: Record<InvoiceStatus, string> = {
  PENDING: 'bg-caution-soft text-caution',
  PAID: 'bg-positive-soft text-positive',
  EXPIRED: 'bg-sunk text-muted',
  CANCELED: 'bg-sunk text-muted',
};

const SHAPE =
  'badge inline-flex items-center whitespace-nowrap rounded-full px-2.5 py-0.5 font-medium text-sm';

/** An invoice's status in words and colour. */
export function StatusBadge({ status, label }: { status: InvoiceStatus; label: string }) {
  return <span className={`${SHAPE} ${TONES[status]}`}>{label}</span>;
}

const STATE_TONES = {
  pending: 'bg-caution-soft text-caution',
  delivered: 'bg-positive-soft text-positive',
  exhausted: 'bg-negative-soft text-negative',
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
  state: keyof typeof STATE_TONES;
  label: string;
  narrowName?: string;
}) {
  return (
    <span className={`${SHAPE} ${STATE_TONES[state]}`}>
      {narrowName && <span className="@4xl:hidden">{narrowName}:&nbsp;</span>}
      <span className={narrowName && '@max-4xl:lowercase'}>{label}</span>
    </span>
  );
}

/** What became of a callback's invoice, as text: one badge a line is enough. */
export function InvoiceNow({ t, status }: { t: DashboardMessages; status: InvoiceStatus }) {
  return (
    <span className="whitespace-nowrap text-muted text-sm">
      {t.callbacks.invoice} <span className="lowercase">{t.statuses[status]}</span>
    </span>
  );
}
