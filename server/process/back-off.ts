const FIRST_MS = 200;
const LONGEST_MS = 10_000;
const FORGIVEN_AFTER_MS = 30_000;

/**
 * How long to wait before restarting a process.
 *
 * @param failuresInRow ends so far without a run of 30 s in between, this one included
 */
export function restartDelayMs(failuresInRow: number): number {
  return Math.min(FIRST_MS * 2 ** (failuresInRow - 1), LONGEST_MS);
}

/** Failures in a row after one more end: a run of 30 s or more resets the count. */
export function countFailure(failuresInRow: number, ranForMs: number): number {
  return ranForMs >= FORGIVEN_AFTER_MS ? 1 : failuresInRow + 1;
}
