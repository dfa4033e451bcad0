/** How many of one key hold a permit at once, and how many more may wait for one. */
export type Permits = { atWork: number; waiting: number };

type Line = { atWork: number; waiting: (() => void)[] };

/** A semaphore for each key: some of a key's hold a permit at once, and some more wait until one is released. */
export class KeyedSemaphore {
  private readonly most: Permits;
  private readonly lines = new Map<string, Line>();

  constructor(most: Permits) {
    this.most = most;
  }

  /**
   * Resolves when there is a permit, to what releases it, more than once as well; at once to null when
   * too many wait.
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
