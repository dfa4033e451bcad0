import type { Random } from './random.ts';

const HOUR_MS = 60 * 60_000;
export const DAYS = 90;

// A shop's activity by hour, and by day of the week from Sunday on.
const BY_HOUR = [
  3, 2, 1, 1, 1, 2, 4, 7, 10, 13, 15, 16, 17, 16, 15, 15, 16, 18, 20, 21, 19, 15, 10, 6,
];
const BY_WEEKDAY = [0.78, 1, 1.02, 1.04, 1.08, 1.22, 0.92];
/** The last day's activity relative to the first day's. */
const GROWTH = 1.6;
/** Some days differ for no visible reason. */
const MOOD = 0.12;

/**
 * The creation times of `count` invoices during the last 90 days, oldest first, in milliseconds:
 * busy evenings, quiet nights, Fridays, and a growing shop.
 */
export function creationTimes(count: number, nowMs: number, random: Random): number[] {
  const startMs = nowMs - DAYS * 24 * HOUR_MS;
  const weights: number[] = [];
  let mood = 1;
  for (let hour = 0; hour < DAYS * 24; hour++) {
    const at = new Date(startMs + hour * HOUR_MS);
    if (at.getUTCHours() === 0) mood = 1 + MOOD * (2 * random.next() - 1);
    const trend = 1 + ((GROWTH - 1) * hour) / (DAYS * 24);
    const byHour = BY_HOUR[at.getUTCHours()] ?? 1;
    weights.push(byHour * (BY_WEEKDAY[at.getUTCDay()] ?? 1) * trend * mood);
  }
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const times: number[] = [];
  let hour = 0;
  let passed = 0;
  // One invoice in each `count`th part of the total weight: even, yet never regular.
  for (let i = 0; i < count; i++) {
    const wanted = ((i + random.next()) / count) * total;
    while (hour < weights.length - 1 && passed + (weights[hour] ?? 0) < wanted) {
      passed += weights[hour] ?? 0;
      hour += 1;
    }
    const within = (wanted - passed) / (weights[hour] ?? 1);
    times.push(Math.floor(startMs + (hour + Math.min(within, 0.999)) * HOUR_MS));
  }
  return times;
}
