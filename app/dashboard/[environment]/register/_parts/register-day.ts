import { isDay } from '#server/lib/formats.ts';
import { dayOf, shiftedDay } from '#server/lib/zone-days.ts';
import { queryText, type SearchParams } from '../../../_shared/lists/query-text.ts';

/** The day of a register in the merchant's zone, and whether it still goes on. */
export type RegisterDay = { day: string; today: string; isOpen: boolean };

/** Reads the address: `?day=2026-11-21`, none later than today; yesterday by default. */
export function readDay(search: SearchParams, nowMs: number, timeZone: string): RegisterDay {
  const today = dayOf(nowMs, timeZone);
  const given = queryText(search.day);
  const wanted = isDay(given) && given >= '1970-01-02' ? given : shiftedDay(today, -1);
  const day = wanted < today ? wanted : today;
  return { day, today, isOpen: day === today };
}
