import { Badge, type BadgeTone } from '#app/_ui/badge.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { Environment } from '#server/merchants/types.ts';
import type { MerchantHealthView, TroubleView } from '#server/trpc/rows.ts';
import { CALLBACK_LATE_MS } from './troubles.ts';

type Activity = MerchantHealthView['activity'][number];

const TONES = {
  suspended: 'plain',
  failing: 'negative',
  troubled: 'negative',
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

/**
 * The same for a merchant, as its activity in one environment; nobody with troubles there is well.
 *
 * @param troubles the merchant's, in either environment
 */
export function merchantState(
  { status, activity }: Pick<MerchantHealthView, 'status' | 'activity'>,
  environment: Environment,
  troubles: readonly Pick<TroubleView, 'environment'>[],
): HealthState {
  if (status === 'suspended') return 'suspended';
  const found = activity.find((each) => each.environment === environment);
  const state = found ? activityState(found) : 'quiet';
  if (state === 'failing' || state === 'late') return state;
  return troubles.some((each) => each.environment === environment) ? 'troubled' : state;
}

/** A merchant's health in words and colour. */
export function HealthBadge({ locale, state }: { locale: Locale; state: HealthState }) {
  const t = translatorOf(locale, 'operator.merchants');
  return <Badge tone={TONES[state]}>{t(`states.${state}`)}</Badge>;
}
