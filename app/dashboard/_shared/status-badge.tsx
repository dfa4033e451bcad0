import { Badge, type BadgeTone } from '#app/_ui/badge.tsx';
import type { CallbackState } from '#server/callbacks/types.ts';
import type { InvoiceStatus } from '#server/invoices/types.ts';

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
 * @param props.narrowName names the state's subject where no column head does
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
