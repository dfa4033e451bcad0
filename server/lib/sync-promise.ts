/** A value, or a promise of one of either kind: what hot paths answer. */
export type Awaitable<T> = T | Promise<T> | SyncPromise<T>;

/** What happens when a promise is settled; `next` is what `chain` answered. */
type Reader<T> = {
  onValue(value: T): Awaitable<unknown>;
  onError: ((error: unknown) => Awaitable<unknown>) | undefined;
  next: SyncPromise<unknown>;
};

/**
 * A promise for one reader, which is called at once, by whoever settles it, and not in a turn of
 * its own. `chain` is its `then`: what is answered goes on, a promise that is answered is waited
 * for, what is thrown rejects the next. To be awaited it is made one of the language's first.
 *
 * A status passes through several of them. While Next makes a page in the same process, its async
 * storages make Node run hooks for each promise of its own, about a microsecond each.
 *
 * It differs in one more thing: a rejection that nobody reads is lost, without an
 * `unhandledRejection`.
 */
export class SyncPromise<T> {
  private state: 'pending' | 'fulfilled' | 'rejected' = 'pending';
  private outcome: unknown;
  private reader: Reader<T> | null = null;
  private isDecided = false;
  private isRead = false;

  /** One for what may be there already. */
  static from<T>(value: Awaitable<T>): SyncPromise<T> {
    if (value instanceof SyncPromise) return value;
    const made = new SyncPromise<T>();
    made.resolve(value);
    return made;
  }

  /** Settles it, when a promise is given as soon as that one is; only the first time counts. */
  resolve(value: Awaitable<T>): void {
    if (this.isDecided) return;
    this.isDecided = true;
    if (value instanceof SyncPromise) {
      this.follow(value);
    } else if (value instanceof Promise) {
      value.then(
        (settled) => this.settle('fulfilled', settled),
        (error: unknown) => this.settle('rejected', error),
      );
    } else {
      this.settle('fulfilled', value);
    }
  }

  /** Settles it with a failure; only the first time counts. */
  reject(error: unknown): void {
    if (this.isDecided) return;
    this.isDecided = true;
    this.settle('rejected', error);
  }

  /** @throws Error when it has a reader already */
  chain<A, B = never>(
    onValue: (value: T) => Awaitable<A>,
    onError?: (error: unknown) => Awaitable<B>,
  ): SyncPromise<A | B> {
    if (this.isRead) throw new Error('A SyncPromise has one reader');
    this.isRead = true;
    const next = new SyncPromise<A | B>();
    this.reader = { onValue, onError, next: next as SyncPromise<unknown> };
    if (this.state !== 'pending') this.tell();
    return next;
  }

  /** The language's own, for whoever awaits it. */
  promise(): Promise<T> {
    return new Promise((resolve, reject) => {
      this.chain(resolve, reject);
    });
  }

  private follow(other: SyncPromise<T>): void {
    try {
      other.chain(
        (value) => this.settle('fulfilled', value),
        (error) => this.settle('rejected', error),
      );
    } catch (error) {
      this.settle('rejected', error);
    }
  }

  private settle(state: 'fulfilled' | 'rejected', outcome: unknown): void {
    this.state = state;
    this.outcome = outcome;
    if (this.reader !== null) this.tell();
  }

  private tell(): void {
    const { reader, outcome } = this;
    if (reader === null) return;
    this.reader = null;
    const { onValue, onError, next } = reader;
    try {
      if (this.state === 'fulfilled') next.resolve(onValue(outcome as T));
      else if (onError) next.resolve(onError(outcome));
      else next.reject(outcome);
    } catch (error) {
      next.reject(error);
    }
  }
}
