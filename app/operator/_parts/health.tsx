import { Badge, type BadgeTone } from '#app/_ui/badge.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { Environment } from '#server/merchants/types.ts';
import type { MerchantHealthView } from '#server/trpc/rows.ts';
import { CALLBACK_LATE_MS } from './troubles.ts';

type Activity = MerchantHealthView['activity'][number];

const TONES = {
  suspended: 'plain',
  failing: 'negative',
  late: 'caution',
  well: 'positive',
  quiet: 'plain',
} satisfies Record<string, BadgeTone>;
export type HealthState = keyof typeof TONES;

/** The worst fact about a merchant's activity in an environment. */
export function activityState({ exhausted, callbackLagMs, paid }: Activity): HealthState {
  if (exhausted > 0) return 'failing';
  if (callbackLagMs > CALLBACK_LATE_MS) return 'late';
  return paid.count > 0 ? 'well' : 'quiet';
}

/** The same for a merchant, as its activity in one environment. */
export function merchantState(
  { status, activity }: Pick<MerchantHealthView, 'status' | 'activity'>,
  environment: Environment,
): HealthState {
  if (status === 'suspended') return 'suspended';
  const found = activity.find((each) => each.environment === environment);
  return found ? activityState(found) : 'quiet';
}

/** A merchant's health in words and colour. */
export function HealthBadge({ locale, state }: { locale: Locale; state: HealthState }) {
  const t = translatorOf(locale, 'operator.merchants');
  return <Badge tone={TONES[state]}>{t(`states.${state}`)}</Badge>;
}
