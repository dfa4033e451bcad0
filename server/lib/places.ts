/** Of one owner. */
export type MostPlaces = { atWork: number; waiting: number };

type Line = { atWork: number; waiting: (() => void)[] };

/** Places at work, by owner: some of an owner's are at work at once, and some more wait until one ends. */
export class Places {
  private readonly most: MostPlaces;
  private readonly lines = new Map<string, Line>();

  constructor(most: MostPlaces) {
    this.most = most;
  }

  /**
   * Resolves when a place is free, to what gives it back, more than once as well; at once to null when
   * too many wait.
   */
  async take(owner: string): Promise<(() => void) | null> {
    const line = this.lines.get(owner) ?? { atWork: 0, waiting: [] };
    if (line.atWork < this.most.atWork) {
      line.atWork += 1;
      this.lines.set(owner, line);
    } else if (line.waiting.length < this.most.waiting) {
      await new Promise<void>((resolve) => line.waiting.push(resolve));
    } else return null;
    let isLeft = false;
    return () => {
      if (!isLeft) this.leave(owner, line);
      isLeft = true;
    };
  }

  private leave(owner: string, line: Line): void {
    const next = line.waiting.shift();
    if (next) {
      next();
      return;
    }
    line.atWork -= 1;
    if (line.atWork === 0) this.lines.delete(owner);
  }
}
