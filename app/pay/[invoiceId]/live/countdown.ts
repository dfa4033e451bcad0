/** The remaining time is shown from here on. */
export const VISIBLE_FROM_S = 600;

/** The screen reader's announcements, in seconds before the end. */
export const MILESTONES_S = [600, 300, 60, 0] as const;
export type Milestone = (typeof MILESTONES_S)[number];

/** `605` → `10:05`; never below zero. */
export function clockText(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
}

/** The milestone passed between two readings of the clock, or null; the later one of two. */
export function milestonePassed(beforeS: number, nowS: number): Milestone | null {
  let passed: Milestone | null = null;
  for (const milestone of MILESTONES_S) {
    if (beforeS > milestone && nowS <= milestone) passed = milestone;
  }
  return passed;
}
