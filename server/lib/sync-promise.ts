/** A value, or a promise of one: what hot paths pass on, so that nothing waits without need. */
export type Awaitable<T> = T | PromiseLike<T>;

/** Whether a value is a promise of any kind. */
export function isPromiseLike<T>(value: Awaitable<T>): value is PromiseLike<T> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  );
}

type OnValue<T, Next> = ((value: T) => Awaitable<Next>) | null | undefined;
type OnError<Next> = ((error: unknown) => Awaitable<Next>) | null | undefined;

/** What happens when a promise is settled; `next` is what `then` answered. */
type Reader<T> = {
  onValue: OnValue<T, unknown>;
  onError: OnError<unknown>;
  next: SyncPromise<unknown>;
};

/**
 * A promise for one reader, who is called at once, by whoever settles it, and not in a turn of
 * his own. For the rest it does what a promise does: `then` chains, a promise that is answered
 * is waited for, what is thrown rejects the next, and it can be awaited.
 *
 * A status passes through five of them. Next's async local storages, which live in the same
 * process, make Node run hooks for each promise of its own, about a microsecond each.
 *
 * It differs in what nobody reads: a rejection is lost then.
 */
export class SyncPromise<T> implements PromiseLike<T> {
  private state: 'pending' | 'fulfilled' | 'rejected' = 'pending';
  private outcome: unknown;
  private reader: Reader<T> | null = null;
  private isDecided = false;
  private isRead = false;

  /** One that is settled already. */
  static of<T>(value: T): SyncPromise<T> {
    const made = new SyncPromise<T>();
    made.resolve(value);
    return made;
  }

  /** Settles it, when a promise is given as soon as that one is; only the first time counts. */
  resolve(value: Awaitable<T>): void {
    if (this.isDecided) return;
    this.isDecided = true;
    if (!isPromiseLike(value)) {
      this.settle('fulfilled', value);
      return;
    }
    try {
      value.then(
        (settled) => this.settle('fulfilled', settled),
        (error: unknown) => this.settle('rejected', error),
      );
    } catch (error) {
      this.settle('rejected', error);
    }
  }

  reject(error: unknown): void {
    if (this.isDecided) return;
    this.isDecided = true;
    this.settle('rejected', error);
  }

  /** @throws Error when it has a reader already */
  // biome-ignore lint/suspicious/noThenProperty: a promise is meant to be awaited
  then<A = T, B = never>(onValue?: OnValue<T, A>, onError?: OnError<B>): SyncPromise<A | B> {
    if (this.isRead) throw new Error('A SyncPromise has one reader');
    this.isRead = true;
    const next = new SyncPromise<A | B>();
    this.reader = { onValue, onError, next: next as SyncPromise<unknown> };
    if (this.state !== 'pending') this.tell();
    return next;
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
      if (this.state === 'fulfilled') next.resolve(onValue ? onValue(outcome as T) : outcome);
      else if (onError) next.resolve(onError(outcome));
      else next.reject(outcome);
    } catch (error) {
      next.reject(error);
    }
  }
}
