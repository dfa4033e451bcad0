import { type IncomingMessage, request as requestPlainly } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { unzipSync } from 'node:zlib';
import type { GatewayClient } from './client.ts';
import type { CallbackVerdict, ForwardAnswerRequest, ForwardedCallback } from './contract.ts';
import { GatewayError } from './errors.ts';
import { sleep } from './transport.ts';

/** The result of one callback. */
export type Forwarded = {
  callback: ForwardedCallback;
  /** The local program's HTTP status; null without an answer. */
  httpStatus: number | null;
  /** The beginning of its answer, as text. */
  answer: string;
  /** Why no complete answer came, in the platform's words; null when one came, or was too long. */
  cause: string | null;
  durationMs: number;
  /** The gateway's verdict; null when the answer came too late for it, or because of `trouble`. */
  verdict: CallbackVerdict | null;
  /** Why the gateway gave no verdict; null when it gave one, or the answer was only too late. */
  trouble: GatewayError | null;
};

export type ListenOptions = {
  /** Where callbacks are posted, usually on this machine. */
  forwardTo: string;
  /** Called when callbacks start to come here. */
  onReady?: () => void;
  onForwarded: (forwarded: Forwarded) => void;
  /** Called when the gateway cannot be reached for now; it is tried again. */
  onTrouble?: (error: GatewayError) => void;
  /** Ends the listening. */
  signal: AbortSignal;
};

// Below the gateway's ten seconds, so that a slow program differs from a dead listener.
const LOCAL_TIMEOUT_MS = 9_000;
const ANSWER_LIMIT_BYTES = 64 * 1024;
/** The gateway refuses an answer with a longer header. */
const HEADER_LIMIT_CHARACTERS = 2_048;
const SHOWN_CHARACTERS = 200;
const PAUSE_MS = 1_000;
/** A gateway looks for listeners four times a second: after this time all of its processes know. */
const KNOWN_AFTER_MS = 500;

const FAILURES: { [code: string]: ForwardAnswerRequest['failure'] } = {
  ECONNREFUSED: 'connection_refused',
  ENOTFOUND: 'name_not_found',
  EHOSTUNREACH: 'unreachable',
  ECONNRESET: 'connection_closed',
  EPIPE: 'connection_closed',
  EPROTO: 'tls',
  HPE_HEADER_OVERFLOW: 'too_large',
  ERR_BUFFER_TOO_LARGE: 'too_large',
};
const TLS_CODES = /^(ERR_TLS|ERR_SSL|CERT|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)_/;
const PARSER_CODES = /^HPE_/;

type LocalAnswer = {
  httpStatus: number | null;
  bytes: Buffer;
  failure: ForwardAnswerRequest['failure'];
  cause: string | null;
  retryAfter: string | null;
  location: string | null;
};

/** Why there is no answer: for the gateway, and in the platform's words. */
function failureOf(error: Error, limit: AbortSignal): Pick<LocalAnswer, 'failure' | 'cause'> {
  if (limit.aborted) return { failure: 'timeout', cause: (limit.reason as Error).message };
  const { code = '', message } = error as NodeJS.ErrnoException;
  // Several failed addresses give one error with an empty message.
  const cause = message || code;
  if (TLS_CODES.test(code)) return { failure: 'tls', cause };
  const unknown = PARSER_CODES.test(code) ? 'malformed_answer' : 'other';
  return { failure: FAILURES[code] ?? unknown, cause };
}

/** The final answer; interim ones (1xx) before it are skipped. */
function answerTo(
  callback: ForwardedCallback,
  forwardTo: string,
  limit: AbortSignal,
): Promise<IncomingMessage> {
  const url = new URL(forwardTo);
  const request = url.protocol === 'https:' ? requestSecurely : requestPlainly;
  const headers = Object.fromEntries(callback.headers.map(({ name, value }) => [name, value]));
  // A new connection, which no program is about to close as idle.
  const options = { headers, agent: false, maxHeaderSize: ANSWER_LIMIT_BYTES, signal: limit };
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', ...options })
      .on('error', reject)
      .on('response', resolve)
      .on('upgrade', resolve)
      .end(callback.body);
  });
}

/** Reads at most 64 KiB of an answer, and decodes a content coding applied unasked. */
async function readLimited(answer: IncomingMessage): Promise<{ bytes: Buffer; isCut: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer) {
    chunks.push(chunk);
    length += chunk.length;
    // Leaving the loop ends the connection.
    if (length > ANSWER_LIMIT_BYTES) break;
  }
  const bytes = Buffer.concat(chunks).subarray(0, ANSWER_LIMIT_BYTES);
  const isCut = length > ANSWER_LIMIT_BYTES;
  const isEncoded = /^((x-)?gzip|deflate)$/i.test(answer.headers['content-encoding'] ?? '');
  if (isCut || !isEncoded || length === 0) return { bytes, isCut };
  return { bytes: unzipSync(bytes, { maxOutputLength: ANSWER_LIMIT_BYTES }), isCut };
}

/** Posts a callback as the gateway would: same bytes, same headers, redirects not followed. */
async function post(callback: ForwardedCallback, forwardTo: string): Promise<LocalAnswer> {
  const limit = AbortSignal.timeout(LOCAL_TIMEOUT_MS);
  const local: LocalAnswer = {
    httpStatus: null,
    bytes: Buffer.alloc(0),
    failure: null,
    cause: null,
    retryAfter: null,
    location: null,
  };
  try {
    const answer = await answerTo(callback, forwardTo, limit);
    const { statusCode = 0, headers } = answer;
    // A protocol switch (101) that nobody asked for, or an invalid status.
    if (statusCode < 200) {
      answer.destroy();
      return { ...local, failure: 'malformed_answer', cause: `status ${statusCode}` };
    }
    local.httpStatus = statusCode;
    local.retryAfter = headers['retry-after'] ?? null;
    local.location = headers.location ?? null;
    const { bytes, isCut } = await readLimited(answer);
    return { ...local, bytes, failure: isCut ? 'too_large' : null };
  } catch (error) {
    return { ...local, ...failureOf(error as Error, limit) };
  }
}

const cut = (header: string | null) => header?.slice(0, HEADER_LIMIT_CHARACTERS) ?? null;

type Judgement = Pick<Forwarded, 'verdict' | 'trouble'>;

async function judge(client: GatewayClient, request: ForwardAnswerRequest): Promise<Judgement> {
  try {
    return { verdict: await client.sandbox.answerCallback(request), trouble: null };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    // The gateway no longer waits for it; the attempt has failed, and is made again.
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
    body_base64: local.bytes.toString('base64'),
    failure: local.failure,
    retry_after: cut(local.retryAfter),
    location: cut(local.location),
  });
  const { httpStatus, cause } = local;
  const answer = new TextDecoder().decode(local.bytes).slice(0, SHOWN_CHARACTERS);
  return { callback, httpStatus, answer, cause, durationMs, ...judgement };
}

/** Ends early when the signal is aborted; never rejects. */
const pause = (durationMs: number, signal: AbortSignal): Promise<void> =>
  sleep(durationMs, signal).catch(() => undefined);

/** Whether asking again can help: other errors are the caller's mistake, or a replacement. */
function isPassing({ code, httpStatus }: GatewayError): boolean {
  // A proxy's 502 and 504 last only as long as the deployment that causes them.
  if (code === 'unreachable' || code === 'rate_limited') return true;
  return httpStatus === 408 || (httpStatus ?? 0) >= 500;
}

/**
 * Redirects this merchant's sandbox callbacks to this process while it runs, and forwards them. The
 * local program's answer is the attempt's result, so the gateway's retries follow from it. Each
 * merchant has one listener: the newest.
 *
 * @throws GatewayError when the token is not accepted or another listener has taken over; any error
 *   of a handler in the options
 */
export async function listen(client: GatewayClient, options: ListenOptions): Promise<void> {
  const { forwardTo, onReady, onForwarded, onTrouble } = options;
  const listenerId = crypto.randomUUID();
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  const underWay = new Set<Promise<void>>();
  /** A failure in it, such as in a handler of the caller's, ends the listening. */
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
    // If this request fails, the lease runs out by itself.
    await client.sandbox.listen({ listener_id: listenerId, step: 'stop' }).catch(() => undefined);
  }
  failed.signal.throwIfAborted();
}
