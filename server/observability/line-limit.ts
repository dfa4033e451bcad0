import { TokenBuckets } from '../lib/token-bucket.ts';

const LINES = { perSecond: 10, burst: 100 };

/**
 * Bounds how many log lines of one kind a process writes, for lines that anybody can cause. Beyond
 * the bound, lines within a second are left out and counted.
 */
export class LineLimit {
  private readonly lines = new TokenBuckets(LINES, 1);
  private leftOut = 0;

  /**
   * @param nowMs milliseconds from any origin
   * @returns null where the line is left out; otherwise how many were since the last one written
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
