import { z } from 'zod';
import { isStorable } from '../lib/storable-text.ts';

/** A caller's text: at most `most` UTF-16 units, and nothing in it that PostgreSQL would refuse. */
export const text = (most: number) => z.string().max(most).refine(isStorable);
