const EAGER_MS = [700, 1_000, 1_500, 2_000, 3_000];
const CALM_MS = [2_500, 3_000, 4_000, 6_000, 8_000];

/**
 * The wait of an open page before its next check (ms).
 * @param looks the number of checks since the page last changed
 * @param eager while a payment is being processed
 */
export function nextDelayMs(looks: number, eager: boolean): number {
  const delays = eager ? EAGER_MS : CALM_MS;
  return delays[Math.min(looks, delays.length - 1)] ?? 8_000;
}
