// A statement takes a few milliseconds; one that takes longer waits for something itself.
const PATIENCE_MS = 20;

/**
 * Lets statements take turns. Claims and results beside each other keep two processors busy with
 * the database, and what merchants' servers answer waits for one. But no statement waits long for
 * another: results that the database takes late hold up no claim.
 */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve();

  /** Begins `work` when the one before has ended, or soon; resolves or rejects as it does. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    const before = this.last;
    let end: () => void = () => undefined;
    this.last = new Promise<void>((resolve) => {
      end = resolve;
    });
    await new Promise<unknown>((resolve) => {
      const patience = setTimeout(resolve, PATIENCE_MS);
      void before.then(() => {
        clearTimeout(patience);
        resolve(undefined);
      });
    });
    try {
      return await work();
    } finally {
      end();
    }
  }
}
