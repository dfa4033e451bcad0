import { AsyncLocalStorage } from 'node:async_hooks';
import { tracer } from '../lib/tracing.ts';

/** What a page leaves behind in the turns right after it, such as a stream that closes, is done by then. */
const REST_AFTER_MS = 100;

/** From here on Node carries the stores of async storages without hooks. */
const WITHOUT_HOOKS_SINCE = 24;

/** Tells of each storage that is used from now on, whoever has made it. */
function onUse(used: (storage: AsyncLocalStorage<unknown>) => void): void {
  const { prototype } = AsyncLocalStorage;
  const { run } = prototype;
  const runAndTell: typeof run = function (this: AsyncLocalStorage<unknown>, ...parameters: []) {
    used(this);
    return Reflect.apply(run, this, parameters);
  };
  prototype.run = runAndTell;
}

/**
 * Puts the async storages of Next and React to rest while no page is being made.
 *
 * Each page runs in some. With the first of them Node before 24 begins to run hooks for every
 * promise, tick and timer of the process, and would do so for ever: an eighth of all that a create
 * or a status costs. A storage that rests (`AsyncLocalStorage.disable`) knows nothing of what runs
 * at that moment and wakes by its next use, so all rest at once, when no page is left. Nothing
 * rests while there are traces: their storage is used outside of pages as well.
 *
 * One of a process. Without a page nothing of the kind may be going on: no `after` of Next's, which
 * goes on with a page that has been answered.
 */
export class PageStorages {
  private readonly used = new Set<AsyncLocalStorage<unknown>>();
  private pages = 0;
  private resting: NodeJS.Timeout | undefined;

  constructor(nodeVersion = process.versions.node) {
    if (Number.parseInt(nodeVersion, 10) >= WITHOUT_HOOKS_SINCE) return;
    onUse((storage) => {
      if (this.pages > 0 || this.resting !== undefined) this.used.add(storage);
    });
  }

  /** Makes a page, whose storages stay awake until then. */
  async during<T>(make: () => Promise<T>): Promise<T> {
    this.pages += 1;
    clearTimeout(this.resting);
    this.resting = undefined;
    try {
      return await make();
    } finally {
      this.pages -= 1;
      if (this.pages === 0) this.resting = setTimeout(() => this.rest(), REST_AFTER_MS).unref();
    }
  }

  private rest(): void {
    this.resting = undefined;
    if (tracer() !== null) return;
    for (const storage of this.used) storage.disable();
    this.used.clear();
  }
}
