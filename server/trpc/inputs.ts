import { z } from 'zod';
import { GatewayError } from '../lib/errors.ts';
import { isStorable } from '../lib/typed-text.ts';

/** A caller's text: at most `most` UTF-16 units that PostgreSQL can store. */
export const text = (most: number) => z.string().max(most).refine(isStorable);

/** The end of year 9999, the last one that databases and ISO dates write alike. Milliseconds. */
const MAX_INSTANT_MS = 253_402_300_799_999;

/** A time in milliseconds that a database can hold. */
export const instantMs = z.int().min(0).max(MAX_INSTANT_MS);

/** An optional bound of a time. */
export const bound = instantMs.nullable().default(null);

/** One of our ids, from a caller. */
export const id = text(255).min(1);

/** An invoice's id, in printable ASCII as in the API. */
export const invoiceId = z
  .string()
  .max(255)
  .regex(/^[\x21-\x7e]+$/);

const MOST_AT_ONCE = 200;

/** Some of a list's rows that are acted on at once. */
export const several = (one: z.ZodString) => z.array(one).min(1).max(MOST_AT_ONCE);

/** How many rows of a file are read at a time: formatting them blocks the event loop. */
export const ROWS_OF_FILE_PAGE = 500;
const MOST_ROWS_OF_SCREEN = 200;

/** The rows on a page of a list: more than a screen shows only for a file. */
export const rows = z.int().min(1).max(ROWS_OF_FILE_PAGE).default(50);

/**
 * Allows only the process itself to read a file's pages: a few hundred at once would keep the
 * database and the event loop from everybody else.
 *
 * @throws GatewayError `validation`
 */
export function checkRows({ readsFile }: { readsFile?: boolean }, limit: number): void {
  if (limit <= MOST_ROWS_OF_SCREEN || readsFile) return;
  throw new GatewayError('input_invalid', { fields: 'limit' });
}
