import { KeyedSemaphore } from '../../lib/keyed-semaphore.ts';
import { processWide } from '../../lib/process-wide.ts';
import type { OpenAccount } from '../../merchants/acquirer-accounts.ts';
import { log } from '../../observability/log.ts';
import { metrics } from '../../observability/metrics.ts';

/** How long an acquirer may take for an answer. */
const ANSWER_MS = 15_000;
/** An acquirer's answer is a few kilobytes: a longer one is invalid. */
const LIMIT_BYTES = 1024 * 1024;

// An account that hangs takes no connection from the others.
const calls = processWide('acquirer calls', () => new KeyedSemaphore({ atWork: 20, waiting: 200 }));

export type AcquirerCall = {
  account: OpenAccount;
  /** The name of the call in the figures: a name of the protocol, never an id. */
  operation: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
};

/** An acquirer's answer; `json` is undefined for invalid JSON. */
export type AcquirerReply = { status: number; json: unknown };

/** The acquirer cannot have heard of the call: nothing was begun there. */
export class NotSentError extends Error {}

/**
 * Asks an acquirer. It follows no redirects and repeats nothing: only the provider knows whether a
 * call may be repeated.
 *
 * @throws NotSentError when nothing can have reached the acquirer; any other error leaves the
 *   result of the call open
 */
export async function callAcquirer(call: AcquirerCall): Promise<AcquirerReply> {
  const { method, url, headers, body } = call;
  const { response, text } = await exchange(call, url, {
    method,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: parse(text) };
}

/**
 * A `fetch` for an acquirer's own package, whose calls keep the limits of all others.
 *
 * @param operationOf the name of a call in the figures, from its method and path
 */
export function acquirerFetch(
  account: OpenAccount,
  operationOf: (method: string, path: string) => string,
): typeof fetch {
  return async (input, init) => {
    const url = String(input);
    const operation = operationOf(init?.method ?? 'GET', new URL(url).pathname);
    const headers = new Headers(init?.headers);
    // `fetch` counts the bytes itself, and Node 20 refuses a call that has two counts.
    headers.delete('content-length');
    const call = { ...init, headers };
    const { response, text } = await exchange({ account, operation }, url, call);
    return new Response(text, { status: response.status, headers: response.headers });
  };
}

/** One call within an account's limits, measured and noted. */
async function exchange(
  { account, operation }: Pick<AcquirerCall, 'account' | 'operation'>,
  url: string,
  init?: RequestInit,
): Promise<{ response: Response; text: string }> {
  const release = await calls.acquire(account.id);
  if (!release) throw new NotSentError(`too many calls of ${account.id} are under way`);
  const sinceMs = performance.now();
  let failure: string | null = null;
  try {
    const response = await send(url, init);
    const text = await read(response);
    if (response.status >= 500) failure = `${operation}: ${response.status}`;
    return { response, text };
  } catch (error) {
    failure = `${operation}: ${causeOf(error)}`;
    throw error;
  } finally {
    release();
    const outcome = failure === null ? 'answered' : 'failed';
    const seconds = (performance.now() - sinceMs) / 1000;
    metrics().acquirerCalls.observe({ provider: account.provider, operation, outcome }, seconds);
    await noteCall(account, failure);
  }
}

/** The result of the call counts: that it could not be noted must not hide it. */
async function noteCall(account: OpenAccount, failure: string | null): Promise<void> {
  try {
    await account.noteCall(failure);
  } catch (error) {
    log().error({ err: error, account: account.id }, 'a call to an acquirer could not be noted');
  }
}

/** What kept a call from its answer, in short: `ECONNREFUSED`, `TimeoutError`. */
export function causeOf(error: unknown): string {
  const failed = error instanceof NotSentError ? (error.cause ?? error) : error;
  const { cause, name, message } = failed as Error;
  const { code } = (cause ?? {}) as { code?: string };
  return code ?? (name === 'Error' ? message : name);
}

async function send(url: string, init?: RequestInit): Promise<Response> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  try {
    return await fetch(url, { ...init, redirect: 'manual', signal });
  } catch (error) {
    throw isUnreachable(error) ? new NotSentError(String(error), { cause: error }) : error;
  }
}

/** What ends a call before there is a connection to send anything over. */
const UNCONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

function isUnreachable(error: unknown): boolean {
  const { code = '', syscall } = ((error as Error).cause ?? {}) as {
    code?: string;
    syscall?: string;
  };
  return UNCONNECTED.includes(code) || syscall === 'connect';
}

async function read(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > LIMIT_BYTES) throw new Error('the acquirer’s answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
