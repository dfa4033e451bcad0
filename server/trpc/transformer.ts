import type { CombinedDataTransformer } from '@trpc/server';
import superjson from 'superjson';

/** superjson's form of a value; a page of an earlier version of the gateway adds `meta`. */
type Sent = { json?: unknown } | null;

/**
 * How both ends of a call write its values. Answers contain big integers and so need superjson.
 * Inputs are plain JSON: superjson would build whatever a stranger's few bytes describe, even an
 * array of gigabytes, before anything has validated them. The envelope stays around them, for pages
 * and webs of the previous version.
 */
export const transformer: CombinedDataTransformer = {
  input: {
    serialize: (json: unknown): Sent => ({ json }),
    deserialize: (sent: Sent) => sent?.json,
  },
  output: superjson,
};
