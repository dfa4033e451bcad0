import type { InvoiceStatus } from '#server/invoices/types.ts';

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

/** A callback's state in words and colour. */
export function CallbackBadge({
  state,
  label,
}: {
  state: keyof typeof STATE_TONES;
  label: string;
}) {
  return <span className={`${SHAPE} ${STATE_TONES[state]}`}>{label}</span>;
}
