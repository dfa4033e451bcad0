/**
 * Node's flags for a worker, here and in public/operating. With a thousand callbacks in flight, the
 * default young generation is collected so often that most objects are still alive and get copied:
 * a tenth of a worker's time in a burst.
 */
export const WORKER_FLAGS: readonly string[] = ['--max-semi-space-size=64'];
