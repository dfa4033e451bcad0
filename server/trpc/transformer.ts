import type { CombinedDataTransformer } from '@trpc/server';
import superjson from 'superjson';

/** How superjson writes a value; a page of an earlier version of the gateway adds `meta`. */
type Sent = { json?: unknown } | null;

/**
 * How the values of a call are written, for both of its ends. An answer holds big integers, for which
 * superjson is there. What is asked for is plain JSON: superjson makes of a stranger's few bytes whatever
 * they say, an array of gigabytes too, before anything has looked at them. Its envelope stays around
 * them, for pages and webs of the version before.
 */
export const transformer: CombinedDataTransformer = {
  input: {
    serialize: (json: unknown): Sent => ({ json }),
    deserialize: (sent: Sent) => sent?.json,
  },
  output: superjson,
};
