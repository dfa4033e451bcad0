import { Worker } from 'node:worker_threads';
import { GatewayError } from './errors.ts';

export type SideThreadOptions = {
  /** Of the module that the thread runs, TypeScript too: it answers each message with one. */
  url: string;
  /** At work and waiting; more are refused. */
  most: number;
  /** For one piece of work, with the start of the thread. */
  limitMs: number;
  /** A thread that nobody needs is ended after so long. */
  idleMs: number;
};

// A thread has not the loader of whoever began it.
const START = `
  const { workerData } = require('node:worker_threads');
  import('tsx/esm/api').then(({ register }) => {
    register();
    return import(workerData);
  });`;

type Thread = { worker: Worker; fail: (error: Error) => void };

/**
 * Does what takes long outside the event loop, one piece after the other, in a thread that begins
 * with the first. It keeps no process alive. A piece that fails, or takes too long, ends the thread,
 * and the next piece has a new one.
 */
export class SideThread<Work, Result> {
  private readonly options: SideThreadOptions;
  private thread: Thread | null = null;
  private idle: NodeJS.Timeout | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private count = 0;

  constructor(options: SideThreadOptions) {
    this.options = options;
  }

  /**
   * What the thread answers to a piece of work.
   *
   * @throws GatewayError `unavailable` when too many wait; Error when the thread failed or was late
   */
  async run(work: Work): Promise<Result> {
    if (this.count >= this.options.most) {
      throw new GatewayError('unavailable', 'Service is busy');
    }
    this.count += 1;
    const result = this.last.then(() => this.answer(work)).finally(() => this.rest());
    this.last = result.then(
      () => undefined,
      () => undefined,
    );
    return await result;
  }

  private async answer(work: Work): Promise<Result> {
    clearTimeout(this.idle);
    this.thread ??= this.begin();
    const { thread } = this;
    const limit = setTimeout(() => this.dismiss(), this.options.limitMs);
    return await new Promise<Result>((resolve, reject) => {
      thread.fail = reject;
      thread.worker.once('message', resolve);
      thread.worker.postMessage(work);
    }).finally(() => clearTimeout(limit));
  }

  private rest(): void {
    this.count -= 1;
    if (this.count > 0) return;
    this.idle = setTimeout(() => this.dismiss(), this.options.idleMs);
    this.idle.unref();
  }

  /** Forgets it at once: what is asked of a thread that ends is never answered. */
  private dismiss(): void {
    void this.thread?.worker.terminate();
    this.thread = null;
  }

  private begin(): Thread {
    const worker = new Worker(START, { eval: true, workerData: this.options.url, execArgv: [] });
    worker.unref();
    const thread: Thread = { worker, fail: () => undefined };
    const end = (error: Error) => {
      if (this.thread === thread) this.thread = null;
      thread.fail(error);
    };
    worker.on('error', end);
    worker.on('exit', () => end(new Error('the thread ended before its answer')));
    return thread;
  }
}
