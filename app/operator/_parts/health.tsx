import type { MerchantHealthView } from '#server/trpc/rows.ts';
import type { OperatorMessages } from '../_i18n/en.ts';

const LATE_MS = 60_000;

type State = keyof OperatorMessages['merchants']['states'];

const TONES: Record<State, string> = {
  suspended: 'bg-sunk text-muted',
  failing: 'bg-negative-soft text-negative',
  late: 'bg-caution-soft text-caution',
  well: 'bg-positive-soft text-positive',
  quiet: 'bg-sunk text-muted',
};

/** The worst that can be said of a merchant. */
function stateOf({ status, activity }: MerchantHealthView): State {
  if (status === 'suspended') return 'suspended';
  if (activity.some(({ exhausted }) => exhausted > 0)) return 'failing';
  if (activity.some(({ callbackLagMs }) => callbackLagMs > LATE_MS)) return 'late';
  return activity.some(({ paid }) => paid.count > 0) ? 'well' : 'quiet';
}

/** How a merchant is, in words and colour. */
export function HealthBadge({
  merchant,
  t,
}: {
  merchant: MerchantHealthView;
  t: OperatorMessages;
}) {
  const state = stateOf(merchant);
  return (
    <span
      className={`inline-flex items-center whitespace-nowrap rounded-full px-2.5 py-0.5 font-medium text-sm ${TONES[state]}`}
    >
      {t.merchants.states[state]}
    </span>
  );
}
