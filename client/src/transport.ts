import { checkedNumber } from './checked-number.ts';
import type { ValidationItem } from './contract.ts';
import {
  type AnswerDetails,
  BrokenRequestError,
  ConflictError,
  ForbiddenError,
  type GatewayError,
  InvalidRequestError,
  InvoiceNotFoundError,
  RateLimitedError,
  RequestTooLargeError,
  ServerError,
  UnauthorizedError,
  UnexpectedAnswerError,
  UnreachableError,
} from './errors.ts';

export type ClientOptions = {
  /** `{origin}/api/sandbox` or `{origin}/api/production`, as it was issued. */
  baseUrl: string;
  /** The merchant's id, `mer_…`. */
  merchantId: string;
  /** The API token of this merchant and environment. */
  token: string;
  /** The limit for one attempt including its answer, 1 to 2147483647; 30 seconds by default. */
  timeoutMs?: number | undefined;
  /** How often a request is sent at most; at least 1, 5 by default. */
  maxAttempts?: number | undefined;
  /** The pause in ms after attempt 1, 2, …; by default 0.25 s doubled up to 8 s, with jitter. */
  backOffMs?: ((attempt: number) => number) | undefined;
  /** Replaces the platform's fetch. */
  fetch?: typeof fetch | undefined;
};

export type Call = {
  method: 'GET' | 'POST';
  path: string;
  /** What is undefined or null is left out. */
  query?: { [name: string]: string | number | null | undefined };
  body?: object;
  headers?: { [name: string]: string };
  /**
   * Whether the request may be sent again when its result is unknown. If not, only a 408, a 429 and
   * a 503 are retried, which mean that nothing was done.
   */
  isRepeatable: boolean;
  signal?: AbortSignal;
};

const TIMEOUT_MS = 30_000;
/** The platform's timers would end every request at once with a longer one. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;
const MAX_ATTEMPTS = 5;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8_000;
/** The caller has to wait out a longer Retry-After. */
const LONGEST_RETRY_AFTER_MS = 30_000;
const SHOWN_CHARACTERS = 120;

function defaultBackOffMs(attempt: number): number {
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS);
  return delayMs * (0.5 + Math.random() / 2);
}

function checkedBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  // No credentials, which fetch's error would repeat; no query or fragment, since no path can
  // follow them. `href` has no line break or spaces from a file.
  if (isHttp && url.href === `${url.origin}${url.pathname}`) return url.href.replace(/\/+$/, '');
  throw new TypeError('baseUrl must be like https://pay.example/api/sandbox');
}

/**
 * An unset environment variable would be sent as "undefined".
 *
 * @throws TypeError that names what is empty or missing
 */
export function given(name: string, value: string | undefined): string {
  if (value) return value;
  throw new TypeError(`${name} is empty or not given`);
}

/** In whole milliseconds, as timers count. */
function checkedTimeoutMs(timeoutMs: number): number {
  const wholeMs = Math.ceil(timeoutMs);
  if (wholeMs >= 1 && wholeMs <= LONGEST_TIMEOUT_MS) return wholeMs;
  throw new TypeError(`timeoutMs must be a number from 1 to ${LONGEST_TIMEOUT_MS}`);
}

/** HTTP's form of a date; in other texts platforms may find dates where none is meant. */
const HTTP_DATE = /^[A-Z][a-z]{2,8}, [\w: -]+ GMT$/;

function dateMs(headers: Headers, name: string): number | null {
  const value = headers.get(name) ?? '';
  const atMs = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(atMs) ? null : atMs;
}

/** Seconds, or a date from a proxy, compared with the answer's own because clocks differ. */
function retryAfterMs(headers: Headers): number | null {
  const value = headers.get('retry-after') ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const atMs = dateMs(headers, 'retry-after');
  return atMs === null ? null : Math.max(0, atMs - (dateMs(headers, 'date') ?? Date.now()));
}

/** Rejects with the signal's reason as soon as it is aborted, and leaves no listener on it. */
export function sleep(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', leave);
      resolve();
    }, durationMs);
    if (signal?.aborted) leave();
    else signal?.addEventListener('abort', leave, { once: true });
  });
}

function isObject(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): { [key: string]: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Describes an answer outside the contract, as far as that helps. */
function unexpected(response: Response, text: string, details: AnswerDetails): GatewayError {
  const location = response.headers.get('location');
  const seen = location ? `a redirect to ${location}` : text.slice(0, SHOWN_CHARACTERS);
  return new UnexpectedAnswerError(
    `HTTP ${response.status} is not the gateway's answer (is baseUrl right?): ${seen}`,
    details,
  );
}

/** Other servers have a `detail` as well, of texts or of anything. */
function isFaults(detail: unknown): detail is ValidationItem[] {
  return Array.isArray(detail) && detail.every(isFault);
}

function isFault(item: unknown): boolean {
  const { loc, msg } = (item ?? {}) as { loc?: unknown; msg?: unknown };
  const isStep = (step: unknown) => typeof step === 'string' || typeof step === 'number';
  return typeof msg === 'string' && Array.isArray(loc) && loc.every(isStep);
}

function errorFrom(response: Response, text: string, details: AnswerDetails): GatewayError {
  const body = parsed(text);
  const { message } = (body?.error ?? {}) as { message?: unknown };
  if (response.status === 422 && isFaults(body?.detail)) {
    return new InvalidRequestError(body.detail, details);
  }
  const told =
    typeof message === 'string'
      ? message
      : `HTTP ${response.status}: ${text.slice(0, SHOWN_CHARACTERS)}`;
  // A proxy uses these statuses with the same meaning, in its own words.
  if (response.status === 408) return new BrokenRequestError(told, details);
  if (response.status === 429) {
    return new RateLimitedError(told, retryAfterMs(response.headers), details);
  }
  if (typeof message !== 'string') return unexpected(response, text, details);
  switch (response.status) {
    case 400:
      return new BrokenRequestError(message, details);
    case 401:
      return new UnauthorizedError(message, details);
    case 403:
      return new ForbiddenError(message, details);
    case 404:
      // Any other path also gets a 404 in the same envelope.
      return message !== 'Not found'
        ? new InvoiceNotFoundError(message, details)
        : unexpected(response, text, details);
    case 409:
      return new ConflictError(message, details);
    case 413:
    case 431:
      return new RequestTooLargeError(message, details);
    case 500:
    case 503:
      return new ServerError(message, details);
    default:
      return unexpected(response, text, details);
  }
}

function isSendable(value: string): boolean {
  try {
    new Headers({ value });
    return true;
  } catch {
    return false;
  }
}

/** @throws TypeError that names the header, never its value, which may be the token */
function headersOf(fields: { [name: string]: string }): Headers {
  const wrong = Object.keys(fields).find((name) => !isSendable(fields[name] ?? ''));
  if (wrong === undefined) return new Headers(fields);
  throw new TypeError(`${wrong} is sent as a header: one line of Latin-1 characters only`);
}

/** @throws TypeError when JSON cannot represent it */
function bodyOf(body: object): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`The request cannot be written as JSON: ${reason}`, { cause });
  }
}

function searchOf(query: Call['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const text = `${new URLSearchParams(given.map(([name, value]) => [name, `${value}`]))}`;
  return text && `?${text}`;
}

type WrittenRequest = RequestInit & { url: string };

type Outcome = { data: object } | { error: GatewayError; retryAfterMs: number | null };

function outcomeOf(response: Response, text: string): Outcome {
  const details = {
    httpStatus: response.status,
    requestId: response.headers.get('x-request-id'),
  };
  const answer = response.status === 200 ? parsed(text) : null;
  // Every call of the contract answers with an object.
  if (answer?.result === true && isObject(answer.data)) return { data: answer.data };
  const error = errorFrom(response, text, details);
  return { error, retryAfterMs: retryAfterMs(response.headers) };
}

/** Sends requests as the contract requires, and retries them where that is safe and can help. */
export class Transport {
  // Private fields: a printed or logged client does not show its token.
  readonly #baseUrl: string;
  readonly #headers: { [name: string]: string };
  readonly #timeoutMs: number;
  readonly #maxAttempts: number;
  readonly #backOffMs: (attempt: number) => number;
  readonly #fetch: typeof fetch;

  /** @throws TypeError that names the invalid option */
  constructor(options: ClientOptions) {
    this.#baseUrl = checkedBaseUrl(options.baseUrl);
    this.#headers = {
      authorization: `Bearer ${given('token', options.token)}`,
      'x-merchant': given('merchantId', options.merchantId),
      accept: 'application/json',
    };
    this.#timeoutMs = checkedTimeoutMs(options.timeoutMs ?? TIMEOUT_MS);
    this.#maxAttempts = checkedNumber('maxAttempts', options.maxAttempts ?? MAX_ATTEMPTS);
    this.#backOffMs = options.backOffMs ?? defaultBackOffMs;
    this.#fetch = options.fetch ?? fetch;
  }

  /** Whether the base URL names production, where nothing can be driven. */
  get isProduction(): boolean {
    return this.#baseUrl.endsWith('/production');
  }

  /**
   * @returns `data` of the envelope
   * @throws GatewayError; TypeError, at once, when the request cannot be written; the
   *   signal's reason when the caller has ended it
   */
  async call<T>(call: Call): Promise<T> {
    // Written once for all attempts: later changes by the caller would make a repeat a different
    // request, and the key of a create fits only the first one.
    const request = this.#requestOf(call);
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#send(request, call.signal);
      if ('data' in outcome) return outcome.data as T;
      const { error, retryAfterMs: askedMs } = outcome;
      const isLast = attempt >= this.#maxAttempts || (askedMs ?? 0) > LONGEST_RETRY_AFTER_MS;
      if (isLast || !mayRepeat(error, call)) throw error;
      await sleep(Math.max(this.#backOffMs(attempt), askedMs ?? 0), call.signal);
    }
  }

  /** @throws TypeError when the request cannot be written */
  #requestOf({ method, path, query, body, headers }: Call): WrittenRequest {
    return {
      url: `${this.#baseUrl}${path}${searchOf(query)}`,
      method,
      body: body && bodyOf(body),
      headers: headersOf({
        ...this.#headers,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      }),
    };
  }

  async #send({ url, ...request }: WrittenRequest, signal?: AbortSignal): Promise<Outcome> {
    signal?.throwIfAborted();
    // AbortSignal.any needs Node 20.3 and leaks a little per call on a long-lived signal.
    const attempt = new AbortController();
    const leave = () => attempt.abort(signal?.reason);
    signal?.addEventListener('abort', leave, { once: true });
    const timer = setTimeout(() => attempt.abort(timeoutReason()), this.#timeoutMs);
    let response: Response;
    let text: string;
    try {
      // Called as a function: some platforms refuse fetch as a method of another object.
      const send = this.#fetch;
      response = await send(url, { ...request, redirect: 'manual', signal: attempt.signal });
      text = await response.text();
    } catch (error) {
      signal?.throwIfAborted();
      // The caller did not end it, so the timer did.
      const isTimeout = attempt.signal.aborted;
      return { error: unreachable(error, isTimeout, this.#timeoutMs), retryAfterMs: null };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    }
    return outcomeOf(response, text);
  }
}

/** The same words as `AbortSignal.timeout`. */
function timeoutReason(): DOMException {
  return new DOMException('The operation was aborted due to timeout', 'TimeoutError');
}

function unreachable(cause: unknown, isTimeout: boolean, timeoutMs: number): GatewayError {
  if (isTimeout) {
    return new UnreachableError(`No answer within ${timeoutMs} ms`, 'timeout', { cause });
  }
  // fetch's message is "fetch failed"; its cause says why.
  const inner = (cause as { cause?: { message?: string } } | null)?.cause?.message;
  const message = inner || (cause instanceof Error ? cause.message : String(cause));
  return new UnreachableError(`The gateway cannot be reached: ${message}`, 'network', { cause });
}

function mayRepeat(error: GatewayError, { isRepeatable }: Call): boolean {
  const { code, httpStatus } = error;
  // The gateway does not carry out the rest of a request after a 408.
  if (httpStatus === 408 || httpStatus === 429 || httpStatus === 503) return true;
  // 502 and 504 come from a proxy, which does not know either; a 500 may have lost its envelope.
  const isUnknown = code === 'unreachable' || code === 'server_error' || (httpStatus ?? 0) >= 500;
  return isRepeatable && isUnknown;
}
