import { TokenBuckets } from '../lib/token-bucket.ts';

const LINES = { perSecond: 10, burst: 100 };

/**
 * Bounds how many lines of one kind a process writes into its log, where anybody can cause them: each
 * is written by itself. Of many in a second some are left out, and counted.
 */
export class LineLimit {
  private readonly lines = new TokenBuckets(LINES, 1);
  private leftOut = 0;

  /**
   * @param nowMs milliseconds from any beginning
   * @returns null where the line is left out; else how many were since the last one that was not
   */
  take(nowMs: number): number | null {
    if (this.lines.take('', nowMs) > 0) {
      this.leftOut += 1;
      return null;
    }
    const before = this.leftOut;
    this.leftOut = 0;
    return before;
  }
}
