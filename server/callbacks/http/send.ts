import type { KeyObject } from 'node:crypto';
import { Agent, type Dispatcher } from 'undici';
import type { ClaimedCallback, Observation, SendFailure } from '../types.ts';
import { type CallbackNetwork, vetUrl } from './address-guard.ts';
import { type ResolveName, resolverFor, vettedConnector } from './connector.ts';
import { withoutCoding } from './content-coding.ts';
import { requestHeaders } from './request-headers.ts';
import { causeOf, failureOf, isLackOfOurs } from './send-failure.ts';

/** The limit of an attempt, whoever carries it to the merchant's server. */
export const ATTEMPT_TIMEOUT_MS = 10_000;
const ANSWER_LIMIT_BYTES = 64 * 1024;
/**
 * The limit of all data for one request: an answer and headers of that size fit, and once as much
 * of chunk framing and interim answers (1xx).
 */
const READ_LIMIT_BYTES = 3 * ANSWER_LIMIT_BYTES;
/** The part of an answer that is kept and shown. */
export const KEPT_ANSWER_BYTES = 2 * 1024;
// Many servers close an idle connection after five seconds; a shorter time seldom meets one just
// being closed.
const KEEP_ALIVE_MS = 3_000;
// A server may announce a longer wait (`Keep-Alive: timeout=600`). Invoices may name thousands of
// servers, and each idle connection is an open file of this process.
const LONGEST_KEEP_ALIVE_MS = 30_000;
const EMPTY = Buffer.alloc(0);
// A merchant's invoices mostly name the same address, which is parsed and vetted once.
const KEPT_TARGETS = 1_000;

export type SenderOptions = {
  network: CallbackNetwork;
  /** Tests put their own lookup here; the default fits the network. */
  resolve?: ResolveName;
  /** The limit for everything: lookup, connect, headers, body. */
  timeoutMs?: number;
  /** The greatest life of an idle connection, whatever its server says. */
  longestKeepAliveMs?: number;
  clock: () => Date;
};

type Target = { origin: string; path: string };

/** Sends callbacks over connections that it keeps alive. */
export type Sender = {
  /**
   * Signs and posts one callback. The observation tells any fault of the merchant's server or of
   * the way to it.
   *
   * @param keys the merchant's signing keys, newest first
   * @throws if this machine lacks open files or memory, which is no attempt of the merchant's
   */
  send(callback: ClaimedCallback, keys: readonly KeyObject[]): Promise<Observation>;
  /** Closes all connections; requests in flight end as failures. */
  close(): Promise<void>;
};

function headerText(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/**
 * Ends attempts that take too long. All have the same limit, so the first to begin is the first to
 * end, and one timer serves all.
 *
 * It is a list, because a Set leaves a table behind each time it grows or shrinks, which points to
 * the next one. Once V8 has moved one to the old generation, the attempts of all later tables
 * survive every collection of young garbage, until the old one is collected as well.
 */
class Deadline {
  private first: Attempt | null = null;
  private last: Attempt | null = null;
  private readonly timeoutMs: number;
  private timer: NodeJS.Timeout | null = null;

  constructor(timeoutMs: number) {
    this.timeoutMs = timeoutMs;
  }

  add(attempt: Attempt): void {
    attempt.before = this.last;
    if (this.last) this.last.after = attempt;
    else this.first = attempt;
    this.last = attempt;
    this.timer ??= this.expireIn(this.timeoutMs);
  }

  /** The attempt must have been added, and is deleted once. */
  delete(attempt: Attempt): void {
    const { before, after } = attempt;
    if (before) before.after = after;
    else this.first = after;
    if (after) after.before = before;
    else this.last = before;
    attempt.before = null;
    attempt.after = null;
  }

  /** Requests in flight keep the process alive, not this timer. */
  private expireIn(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.expire(), ms).unref();
  }

  private expire(): void {
    this.timer = null;
    const nowMs = performance.now();
    while (this.first) {
      const leftMs = this.first.startedMs + this.timeoutMs - nowMs;
      if (leftMs > 0) {
        this.timer = this.expireIn(Math.ceil(leftMs));
        return;
      }
      this.first.abandon('timeout');
    }
  }
}

/** Collects one answer. Each request has one object, because this is the hot path. */
class Attempt implements Dispatcher.DispatchHandler {
  readonly startedMs = performance.now();
  /** The neighbours in the deadline's list. */
  before: Attempt | null = null;
  after: Attempt | null = null;
  private controller: Dispatcher.DispatchController | null = null;
  private readonly deadline: Deadline;
  private httpStatus: number | null = null;
  private chunks: Buffer[] = [];
  private size = 0;
  private retryAfter: string | null = null;
  private location: string | null = null;
  private coding: string | null = null;
  private done = false;
  private readonly startedAt: Date;
  private readonly resolve: (observation: Observation) => void;
  private readonly reject: (error: Error) => void;

  constructor(
    startedAt: Date,
    deadline: Deadline,
    resolve: (observation: Observation) => void,
    reject: (error: Error) => void,
  ) {
    this.startedAt = startedAt;
    this.deadline = deadline;
    this.resolve = resolve;
    this.reject = reject;
    deadline.add(this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // Time ran out while it waited for its connection, so nothing must be sent now.
    if (this.done) controller.abort(new Error('abandoned'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    httpStatus: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Interim answers do not reach this; undici reports an invalid status a moment later.
    if (httpStatus < 200) return;
    this.httpStatus = httpStatus;
    this.retryAfter = headerText(headers['retry-after']);
    this.location = headerText(headers.location);
    const coding = headers['content-encoding'];
    if (coding !== undefined) this.coding = String(coding);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.done) return;
    this.size += chunk.length;
    const room = ANSWER_LIMIT_BYTES - (this.size - chunk.length);
    this.chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    if (this.size > ANSWER_LIMIT_BYTES) this.abandon('too_large');
  }

  onResponseEnd(): void {
    this.finish(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.finish(failureOf(error), error);
  }

  /** Ends the attempt and its connection, which still holds bytes of this answer. */
  abandon(failure: SendFailure): void {
    this.finish(failure);
    this.controller?.abort(new Error('abandoned'));
  }

  private finish(failure: SendFailure | null, error?: Error): void {
    if (this.done) return;
    this.done = true;
    this.deadline.delete(this);
    if (error && isLackOfOurs(error)) {
      this.reject(error);
      return;
    }
    const [first = EMPTY] = this.chunks;
    const observation: Observation = {
      startedAt: this.startedAt,
      durationMs: Math.round(performance.now() - this.startedMs),
      httpStatus: this.httpStatus,
      body: this.chunks.length > 1 ? Buffer.concat(this.chunks) : first,
      failure,
      retryAfter: this.retryAfter,
      location: this.location,
    };
    if (failure === 'other') observation.cause = causeOf(error);
    const coding = failure === null ? this.coding : null;
    this.resolve(
      coding === null ? observation : withoutCoding(observation, coding, ANSWER_LIMIT_BYTES),
    );
  }
}

/** The observation of an attempt that never got a connection. */
export function unsent(startedAt: Date, failure: SendFailure): Observation {
  return {
    startedAt,
    durationMs: 0,
    httpStatus: null,
    body: EMPTY,
    failure,
    retryAfter: null,
    location: null,
  };
}

/** Opens a sender. Close it when done. */
export function createSender(options: SenderOptions): Sender {
  const {
    network,
    clock,
    timeoutMs = ATTEMPT_TIMEOUT_MS,
    longestKeepAliveMs = LONGEST_KEEP_ALIVE_MS,
  } = options;
  const resolveName = options.resolve ?? resolverFor(network);
  // Connections have no limit here: the claims limit requests in flight for each merchant and over
  // all, and a queue for connections would use up the ten seconds of merchants that share a host.
  // Dispatch never follows redirects.
  const agent = new Agent({
    connect: vettedConnector(network, {
      resolve: resolveName,
      timeoutMs,
      readLimitBytes: READ_LIMIT_BYTES,
    }),
    // The deadline below ends each attempt in any phase, so undici's timers are not needed.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: longestKeepAliveMs,
    pipelining: 1,
    maxHeaderSize: ANSWER_LIMIT_BYTES,
  });

  const deadline = new Deadline(timeoutMs);
  const targets = new Map<string, Target>();
  function targetOf(text: string): Target {
    const kept = targets.get(text);
    if (kept) return kept;
    const url = vetUrl(text, network);
    const target = { origin: url.origin, path: url.pathname + url.search };
    if (targets.size >= KEPT_TARGETS) targets.clear();
    targets.set(text, target);
    return target;
  }

  function dispatch(
    target: Target,
    callback: ClaimedCallback,
    keys: readonly KeyObject[],
    attempt: Attempt,
    startedAt: Date,
  ): void {
    agent.dispatch(
      {
        origin: target.origin,
        path: target.path,
        method: 'POST',
        headers: requestHeaders(callback, keys, startedAt),
        body: callback.body,
      },
      attempt,
    );
  }

  function send(callback: ClaimedCallback, keys: readonly KeyObject[]): Promise<Observation> {
    const startedAt = clock();
    let target: Target;
    try {
      target = targetOf(callback.url);
    } catch (error) {
      return Promise.resolve(unsent(startedAt, failureOf(error)));
    }
    if (keys.length === 0) return Promise.resolve(unsent(startedAt, 'no_signing_secret'));
    return new Promise((resolve, reject) => {
      const attempt = new Attempt(startedAt, deadline, resolve, reject);
      try {
        dispatch(target, callback, keys, attempt, startedAt);
      } catch (error) {
        attempt.onResponseError(null, error as Error);
      }
    });
  }

  return { send, close: () => agent.destroy() };
}
