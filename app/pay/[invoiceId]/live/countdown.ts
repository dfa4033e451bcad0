/** From here on the time left is shown. */
export const VISIBLE_FROM_S = 600;

/** When a screen reader is told, in seconds before the end. */
export const MILESTONES_S = [600, 300, 60, 0] as const;
export type Milestone = (typeof MILESTONES_S)[number];

/** `605` → `10:05`; nothing below zero. */
export function clockText(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
}

/** The milestone that was passed between two looks at the clock, or null; the later one of two. */
export function milestonePassed(beforeS: number, nowS: number): Milestone | null {
  let passed: Milestone | null = null;
  for (const milestone of MILESTONES_S) {
    if (beforeS > milestone && nowS <= milestone) passed = milestone;
  }
  return passed;
}
