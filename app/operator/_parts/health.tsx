import type { Environment } from '#server/merchants/types.ts';
import type { MerchantHealthView } from '#server/trpc/rows.ts';
import type { OperatorMessages } from '../_i18n/en.ts';

const LATE_MS = 60_000;

export type HealthState = keyof OperatorMessages['merchants']['states'];
type Activity = MerchantHealthView['activity'][number];

const TONES: Record<HealthState, string> = {
  suspended: 'bg-sunk text-muted',
  failing: 'bg-negative-soft text-negative',
  late: 'bg-caution-soft text-caution',
  well: 'bg-positive-soft text-positive',
  quiet: 'bg-sunk text-muted',
};

/** The worst that can be said of what a merchant does in an environment. */
export function activityState({ exhausted, callbackLagMs, paid }: Activity): HealthState {
  if (exhausted > 0) return 'failing';
  if (callbackLagMs > LATE_MS) return 'late';
  return paid.count > 0 ? 'well' : 'quiet';
}

/** The same of a merchant, as it does in one environment. */
export function merchantState(
  { status, activity }: MerchantHealthView,
  environment: Environment,
): HealthState {
  if (status === 'suspended') return 'suspended';
  const found = activity.find((each) => each.environment === environment);
  return found ? activityState(found) : 'quiet';
}

/** How a merchant is, in words and colour. */
export function HealthBadge({ state, t }: { state: HealthState; t: OperatorMessages }) {
  return (
    <span
      className={`inline-flex items-center whitespace-nowrap rounded-full px-2.5 py-0.5 font-medium text-sm ${TONES[state]}`}
    >
      {t.merchants.states[state]}
    </span>
  );
}
