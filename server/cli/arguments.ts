import { InvalidArgumentError } from 'commander';
import { isDay } from '../lib/formats.ts';

const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}(T.*)?$/;
const HAS_ZONE = /(Z|[+-]\d{2}:?\d{2})$/i;

/** Reads an operator's time, UTC unless it names a zone; a date means its beginning. */
export function parseInstant(text: string): Date {
  // JavaScript takes a time without a zone as local time.
  const time = new Date(text.includes('T') && !HAS_ZONE.test(text) ? `${text}Z` : text);
  const year = time.getUTCFullYear();
  // PostgreSQL misreads or refuses a time whose UTC year does not have four digits.
  const isInRange = year >= 1 && year <= 9999;
  if (!ISO_INSTANT.test(text) || !isInRange || !isDay(text.slice(0, 10))) {
    throw new InvalidArgumentError('Write it like 2027-12-31 or 2027-12-31T18:00:00Z.');
  }
  return time;
}

/** A whole number from 1 to `max`. */
export function parseCount(max: number): (text: string) => number {
  return (text) => {
    const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    if (count < 1 || count > max) {
      throw new InvalidArgumentError(`Give a whole number from 1 to ${max}.`);
    }
    return count;
  };
}
