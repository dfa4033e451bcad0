/** How many holders of one key have a permit at once, and how many more may wait for one. */
export type Permits = { atWork: number; waiting: number };

type Line = { atWork: number; waiting: (() => void)[] };

/** A semaphore by key: a few holders of one key have a permit, and a few more wait for one. */
export class KeyedSemaphore {
  private readonly most: Permits;
  private readonly lines = new Map<string, Line>();

  constructor(most: Permits) {
    this.most = most;
  }

  /**
   * Resolves once there is a permit, to a function that releases it and may be called more than
   * once; resolves at once to null when too many wait.
   */
  async acquire(key: string): Promise<(() => void) | null> {
    const line = this.lines.get(key) ?? { atWork: 0, waiting: [] };
    if (line.atWork < this.most.atWork) {
      line.atWork += 1;
      this.lines.set(key, line);
    } else if (line.waiting.length < this.most.waiting) {
      await new Promise<void>((resolve) => line.waiting.push(resolve));
    } else return null;
    let isReleased = false;
    return () => {
      if (!isReleased) this.release(key, line);
      isReleased = true;
    };
  }

  private release(key: string, line: Line): void {
    const next = line.waiting.shift();
    if (next) {
      next();
      return;
    }
    line.atWork -= 1;
    if (line.atWork === 0) this.lines.delete(key);
  }
}
