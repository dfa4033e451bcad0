/** Whether a text is a day of the calendar, as `2026-11-21`. JavaScript takes 30 February for 2 March. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}
