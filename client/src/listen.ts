import type { GatewayClient } from './client.ts';
import type { CallbackVerdict, ForwardAnswerRequest, ForwardedCallback } from './contract.ts';
import { GatewayError } from './errors.ts';
import { sleep } from './transport.ts';

/** What happened to one callback. */
export type Forwarded = {
  callback: ForwardedCallback;
  /** What the local program answered; null when it did not. */
  httpStatus: number | null;
  /** The beginning of its answer, as text. */
  answer: string;
  /** Why no complete answer came, in the platform's words; null when one came, or too much of it. */
  cause: string | null;
  durationMs: number;
  /** The contract's, from the gateway; null when the answer came too late for it, or for `trouble`. */
  verdict: CallbackVerdict | null;
  /** Why the gateway gave no verdict; null when it gave one, or the answer was only too late. */
  trouble: GatewayError | null;
};

export type ListenOptions = {
  /** Where callbacks are posted, usually on this machine. */
  forwardTo: string;
  /** Called when callbacks come here from now on. */
  onReady?: () => void;
  onForwarded: (forwarded: Forwarded) => void;
  /** Called when the gateway cannot be reached for now; it is tried again. */
  onTrouble?: (error: GatewayError) => void;
  /** Ends it. */
  signal: AbortSignal;
};

// Below the gateway's ten seconds, so that a slow program is told from a listener that died.
const LOCAL_TIMEOUT_MS = 9_000;
const ANSWER_LIMIT_BYTES = 64 * 1024;
/** The gateway refuses an answer with a longer header. */
const HEADER_LIMIT_CHARACTERS = 2_048;
const SHOWN_CHARACTERS = 200;
const PAUSE_MS = 1_000;
/** A gateway asks who listens four times a second: after this, all of it knows. */
const KNOWN_AFTER_MS = 500;

const FAILURES: { [code: string]: ForwardAnswerRequest['failure'] } = {
  ECONNREFUSED: 'connection_refused',
  ENOTFOUND: 'name_not_found',
  EHOSTUNREACH: 'unreachable',
  ECONNRESET: 'connection_closed',
  UND_ERR_SOCKET: 'connection_closed',
  EPROTO: 'tls',
  UND_ERR_HEADERS_OVERFLOW: 'malformed_answer',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'malformed_answer',
};
const TLS_CODES = /^(ERR_TLS|ERR_SSL|CERT|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)_/;

type LocalAnswer = {
  httpStatus: number | null;
  bytes: Uint8Array;
  failure: ForwardAnswerRequest['failure'];
  cause: string | null;
  retryAfter: string | null;
  location: string | null;
};

/** Why there is no answer: for the gateway, and in the platform's words. */
function failureOf(error: unknown): Pick<LocalAnswer, 'failure' | 'cause'> {
  // fetch says "fetch failed" and keeps why in the cause.
  type Failed = Error & { cause?: { name?: string; code?: string; message?: string } };
  const { name, message, cause } = error as Failed;
  const code = cause?.code ?? '';
  // Several addresses tried in vain come as one error without words.
  const words = cause?.message || code || message;
  if (name === 'TimeoutError') return { failure: 'timeout', cause: words };
  if (TLS_CODES.test(code)) return { failure: 'tls', cause: words };
  // All that Node's fetch says of a 100 Continue that it did not ask for.
  if (code === 'UND_ERR_SOCKET' && words === 'bad response') {
    return { failure: 'unasked_continue', cause: words };
  }
  // The same of a change of protocols (101).
  if (code === 'UND_ERR_SOCKET' && words === 'bad upgrade') {
    return { failure: 'malformed_answer', cause: words };
  }
  // From Node 24 on without a code.
  if (cause?.name === 'HTTPParserError') return { failure: 'malformed_answer', cause: words };
  return { failure: FAILURES[code] ?? 'other', cause: words };
}

async function readLimited(response: Response): Promise<{ bytes: Uint8Array; isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  while (reader && length <= ANSWER_LIMIT_BYTES) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    length += value.length;
  }
  const isCut = length > ANSWER_LIMIT_BYTES;
  if (isCut) await reader?.cancel();
  const bytes = new Uint8Array(Math.min(length, ANSWER_LIMIT_BYTES));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk.subarray(0, bytes.length - at), at);
    at += chunk.length;
    if (at >= bytes.length) break;
  }
  return { bytes, isCut };
}

/** Posts a callback as the gateway would: same bytes, same headers, redirects not followed. */
async function post(callback: ForwardedCallback, forwardTo: string): Promise<LocalAnswer> {
  let httpStatus: number | null = null;
  let retryAfter: string | null = null;
  let location: string | null = null;
  try {
    const response = await fetch(forwardTo, {
      method: 'POST',
      headers: callback.headers.map(({ name, value }): [string, string] => [name, value]),
      body: callback.body,
      redirect: 'manual',
      signal: AbortSignal.timeout(LOCAL_TIMEOUT_MS),
    });
    httpStatus = response.status;
    retryAfter = response.headers.get('retry-after');
    location = response.headers.get('location');
    const { bytes, isCut } = await readLimited(response);
    const failure = isCut ? 'too_large' : null;
    return { httpStatus, bytes, failure, cause: null, retryAfter, location };
  } catch (error) {
    return { httpStatus, bytes: new Uint8Array(0), ...failureOf(error), retryAfter, location };
  }
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

const cut = (header: string | null) => header?.slice(0, HEADER_LIMIT_CHARACTERS) ?? null;

type Judgement = Pick<Forwarded, 'verdict' | 'trouble'>;

async function judge(client: GatewayClient, request: ForwardAnswerRequest): Promise<Judgement> {
  try {
    return { verdict: await client.sandbox.answerCallback(request), trouble: null };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    // Nobody waits for it any more; the attempt has failed, and is made again.
    const isLate = error.code === 'not_found';
    return { verdict: null, trouble: isLate ? null : error };
  }
}

async function forwardOne(
  client: GatewayClient,
  callback: ForwardedCallback,
  forwardTo: string,
): Promise<Forwarded> {
  const startedMs = performance.now();
  const local = await post(callback, forwardTo);
  const durationMs = Math.max(1, Math.round(performance.now() - startedMs));
  const judgement = await judge(client, {
    forward_id: callback.forward_id,
    duration_ms: durationMs,
    http_status: local.httpStatus,
    body_base64: toBase64(local.bytes),
    failure: local.failure,
    retry_after: cut(local.retryAfter),
    location: cut(local.location),
  });
  const { httpStatus, cause } = local;
  const answer = new TextDecoder().decode(local.bytes).slice(0, SHOWN_CHARACTERS);
  return { callback, httpStatus, answer, cause, durationMs, ...judgement };
}

/** Over early when the signal is aborted; never rejects. */
const pause = (durationMs: number, signal: AbortSignal): Promise<void> =>
  sleep(durationMs, signal).catch(() => undefined);

/** Whether it will do to ask again: everything else is the caller's mistake, or a replacement. */
function isPassing({ code, httpStatus }: GatewayError): boolean {
  // A proxy's 502 and 504 pass with the deployment that they tell of.
  if (code === 'unreachable' || code === 'rate_limited') return true;
  return httpStatus === 408 || (httpStatus ?? 0) >= 500;
}

/**
 * Has the callbacks of this merchant's sandbox sent here while it runs, instead of to their
 * addresses, and forwards them. What the local program answers is the result of the attempt, so
 * that the gateway's retries follow from it. One listener for a merchant: the newest.
 *
 * @throws GatewayError when the token is not accepted or another listener has taken over; whatever
 *   a handler of the options throws
 */
export async function listen(client: GatewayClient, options: ListenOptions): Promise<void> {
  const { forwardTo, onReady, onForwarded, onTrouble } = options;
  const listenerId = crypto.randomUUID();
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  const underWay = new Set<Promise<void>>();
  /** What of it fails, such as a handler of the caller's, ends the listening. */
  const keep = (work: Promise<unknown>) => {
    const kept = work
      .then(
        () => undefined,
        (error) => failed.abort(error),
      )
      .finally(() => underWay.delete(kept));
    underWay.add(kept);
  };
  let step: 'start' | 'go_on' = 'start';
  try {
    while (!signal.aborted) {
      try {
        const request = { listener_id: listenerId, step };
        const { callbacks } = await client.sandbox.listen(request, { signal });
        for (const callback of callbacks) {
          keep(forwardOne(client, callback, forwardTo).then(onForwarded));
        }
        if (step === 'start') {
          step = 'go_on';
          keep(pause(KNOWN_AFTER_MS, signal).then(() => !signal.aborted && onReady?.()));
        }
      } catch (error) {
        if (signal.aborted) break;
        if (!(error instanceof GatewayError) || !isPassing(error)) throw error;
        onTrouble?.(error);
        await pause(PAUSE_MS, signal);
      }
    }
  } finally {
    await Promise.allSettled(underWay);
    // Said in vain, the lease runs out by itself.
    await client.sandbox.listen({ listener_id: listenerId, step: 'stop' }).catch(() => undefined);
  }
  failed.signal.throwIfAborted();
}
