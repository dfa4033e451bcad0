import { z } from 'zod';
import { GatewayError } from '../lib/errors.ts';
import { isStorable } from '../lib/typed-text.ts';

/** A caller's text: at most `most` UTF-16 units, and nothing in it that PostgreSQL would refuse. */
export const text = (most: number) => z.string().max(most).refine(isStorable);

/** The end of the year 9999, the last that a database and an ISO date write alike. Milliseconds. */
const MAX_INSTANT_MS = 253_402_300_799_999;

/** An instant in milliseconds, which a database can hold. */
export const instantMs = z.int().min(0).max(MAX_INSTANT_MS);

/** A bound of a time that is asked for, or none. */
export const bound = instantMs.nullable().default(null);

/** An id of ours as a caller gives it. */
export const id = text(255).min(1);

/** An invoice's id, in printable ASCII as the API takes it. */
export const invoiceId = z
  .string()
  .max(255)
  .regex(/^[\x21-\x7e]+$/);

/** How many rows of a file are read at a time: writing them out holds the event loop. */
export const ROWS_OF_FILE_PAGE = 500;
const MOST_ROWS_OF_SCREEN = 200;

/** How many rows a page of a list has: more than fit a screen's only for a file. */
export const rows = z.int().min(1).max(ROWS_OF_FILE_PAGE).default(50);

/**
 * Lets nobody but the process itself read a file's pages: a few hundred of them at once would keep
 * the database and the event loop from all others.
 *
 * @throws GatewayError `validation`
 */
export function checkRows({ readsFile }: { readsFile?: boolean }, limit: number): void {
  if (limit <= MOST_ROWS_OF_SCREEN || readsFile) return;
  throw new GatewayError('input_invalid', { fields: 'limit' });
}
