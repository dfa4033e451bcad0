// A statement takes a few milliseconds; a longer one is waiting for something itself.
const PATIENCE_MS = 20;

/**
 * Lets statements take turns. Concurrent claims and results keep two processors busy with the
 * database while merchants' answers wait for one. But no statement waits long for another: slow
 * results do not delay a claim.
 */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve();

  /** Begins `work` when the one before has ended, or soon; settles with its result. */
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
