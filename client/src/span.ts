const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

/** A duration as the documentation writes it: `5 s`, `30 min`, `2 h`. */
export function spanText(durationMs: number): string {
  const seconds = Math.round(durationMs / 1_000);
  if (seconds < 2 * MINUTE_S) return `${seconds} s`;
  if (seconds < 2 * HOUR_S) return `${Math.round(seconds / MINUTE_S)} min`;
  return `${Math.round(seconds / HOUR_S)} h`;
}
