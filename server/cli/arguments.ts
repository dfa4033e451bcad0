import { InvalidArgumentError } from 'commander';
import { isDay } from '../lib/formats.ts';

const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}(T.*)?$/;
const HAS_ZONE = /(Z|[+-]\d{2}:?\d{2})$/i;

/** An instant as an operator writes it, UTC unless it names a zone; a date means its beginning. */
export function parseInstant(text: string): Date {
  // Without a zone JavaScript takes a time of day for the machine's own.
  const time = new Date(text.includes('T') && !HAS_ZONE.test(text) ? `${text}Z` : text);
  const year = time.getUTCFullYear();
  // Whose year by UTC has no four digits PostgreSQL reads otherwise, or not at all.
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
