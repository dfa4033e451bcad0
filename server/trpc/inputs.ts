import { z } from 'zod';
import { isStorable } from '../lib/storable-text.ts';

/** A caller's text: at most `most` UTF-16 units, and nothing in it that PostgreSQL would refuse. */
export const text = (most: number) => z.string().max(most).refine(isStorable);

/** The end of the year 9999, the last that a database and an ISO date write alike. Milliseconds. */
const MAX_INSTANT_MS = 253_402_300_799_999;

/** An instant in milliseconds, which a database can hold. */
export const instantMs = z.int().min(0).max(MAX_INSTANT_MS);
