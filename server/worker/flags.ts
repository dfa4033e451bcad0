/**
 * What Node is told where it runs a worker, here and in public/operating. With a thousand
 * callbacks in flight a heap for young objects of the usual size is collected so often that most
 * of them are still alive and copied: a tenth of a worker's time in a burst.
 */
export const WORKER_FLAGS: readonly string[] = ['--max-semi-space-size=64'];
