import { checkedNumber } from './checked-number.ts';
import type { InvoiceCallbackRequest, InvoiceEvent, RefundEvent } from './contract.ts';
import { CallbackNotGenuineError } from './errors.ts';

/** Header names in any case: a Fetch API `Headers`, or Node's `request.headers`. */
export type CallbackHeaders =
  | { get(name: string): string | null }
  | { [name: string]: string | readonly string[] | undefined };

export type CallbackInput = {
  /** The body's bytes exactly as received, before any parser: the signature covers them. */
  body: string | Uint8Array | ArrayBuffer;
  headers: CallbackHeaders;
  /** The signing secret, `whsec_…`; both during a rotation. */
  secrets: string | readonly string[];
  /** How far the signed time may be from `nowMs`; five minutes by default. */
  toleranceMs?: number | undefined;
  /** The time to compare with, in ms; the clock's by default. */
  nowMs?: number | undefined;
};

/** A genuine notification from the gateway. */
export type VerifiedCallback = {
  /** The same on every attempt: process each once. */
  webhookId: string;
  /** When this attempt was signed. */
  sentAt: Date;
  invoice: InvoiceCallbackRequest;
};

/** What is sent to an address for events; `type` tells which. */
export type SentEvent = InvoiceEvent | RefundEvent;

/** A genuine event from the gateway. */
export type VerifiedEvent = {
  /** The same on every attempt, and the `event_id` of the list of events: process each once. */
  webhookId: string;
  /** When this attempt was signed. */
  sentAt: Date;
  event: SentEvent;
};

const TOLERANCE_MS = 5 * 60_000;
const SECRET_PREFIX = 'whsec_';
const HMAC = { name: 'HMAC', hash: 'SHA-256' };

function headerOf(headers: CallbackHeaders, name: string): string {
  let value: string | readonly string[] | null | undefined;
  if (typeof headers.get === 'function') {
    value = (headers as { get(name: string): string | null }).get(name);
  } else {
    const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name);
    value = found?.[1] as string | readonly string[] | undefined;
  }
  const text = typeof value === 'string' ? value : value?.[0];
  if (text) return text;
  throw new CallbackNotGenuineError(`The header ${name} is missing`, 'header_missing');
}

function bytesOf(body: CallbackInput['body']): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  // The caller's program is wrong, not the sender: a framework has parsed the body.
  throw new TypeError('body must be the raw body: a string or bytes, not what a parser made of it');
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function keyBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bare = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  const bytes = fromBase64(bare);
  // The message does not contain its text, because messages are logged.
  if (!bytes?.length) throw new TypeError('a secret is not of the form whsec_ and base64');
  return bytes;
}

/** `{webhook-id}.{webhook-timestamp}.{body}` (Standard Webhooks). */
function signedContent(id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const start = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(start.length + body.length);
  content.set(start);
  content.set(body, start.length);
  return content;
}

function secretsOf(secrets: CallbackInput['secrets'] | undefined): string[] {
  // A file's last line break or a selected space around it is not part of the secret.
  const given = [secrets ?? []].flat().map((secret) => secret?.trim());
  if (given.length > 0 && given.every(Boolean)) return given;
  throw new TypeError('secrets is empty or has not been given');
}

async function isSigned(
  content: Uint8Array<ArrayBuffer>,
  header: string,
  secrets: readonly string[],
): Promise<boolean> {
  const given = header
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
    .map((each) => fromBase64(each.slice('v1,'.length)));
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey('raw', keyBytes(secret), HMAC, false, ['verify']);
    for (const signature of given) {
      // Takes the same time whichever byte is wrong.
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, content))) return true;
    }
  }
  return false;
}

function checkTime(timestamp: string, nowMs: number, toleranceMs: number): Date {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new CallbackNotGenuineError(
      'webhook-timestamp is no number of seconds',
      'timestamp_malformed',
    );
  }
  const sentAtMs = Number(timestamp) * 1_000;
  if (sentAtMs < nowMs - toleranceMs) {
    throw new CallbackNotGenuineError('webhook-timestamp is too old', 'timestamp_too_old');
  }
  if (sentAtMs > nowMs + toleranceMs) {
    throw new CallbackNotGenuineError('webhook-timestamp is too new', 'timestamp_too_new');
  }
  return new Date(sentAtMs);
}

function parsedBody(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    // Reported with every other body that is none of the gateway's.
    return null;
  }
}

function parseInvoice(body: Uint8Array): InvoiceCallbackRequest {
  const invoice = parsedBody(body) as Partial<InvoiceCallbackRequest> | null;
  if (typeof invoice?.invoice_id === 'string' && Number.isInteger(invoice.status)) {
    return invoice as InvoiceCallbackRequest;
  }
  throw new CallbackNotGenuineError('The body is no notification of an invoice', 'body_malformed');
}

function parseEvent(body: Uint8Array): SentEvent {
  const event = parsedBody(body) as Partial<SentEvent> | null;
  if (typeof event?.type === 'string' && typeof event.data?.invoice_id === 'string') {
    return event as SentEvent;
  }
  throw new CallbackNotGenuineError('The body is no event', 'body_malformed');
}

/** Checks signature and time. */
async function verified(
  input: CallbackInput,
): Promise<{ webhookId: string; sentAt: Date; body: Uint8Array }> {
  const { headers } = input;
  if (!headers) throw new TypeError('headers must be those of the request');
  const secrets = secretsOf(input.secrets);
  const toleranceMs = checkedNumber('toleranceMs', input.toleranceMs ?? TOLERANCE_MS);
  const nowMs = checkedNumber('nowMs', input.nowMs ?? Date.now());
  const body = bytesOf(input.body);
  const webhookId = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signature = headerOf(headers, 'webhook-signature');
  const sentAt = checkTime(timestamp, nowMs, toleranceMs);
  const content = signedContent(webhookId, timestamp, body);
  if (!(await isSigned(content, signature, secrets))) {
    throw new CallbackNotGenuineError(
      'No signature fits: the secret is another one, or the body is not the raw one',
      'signature_wrong',
    );
  }
  return { webhookId, sentAt, body };
}

/**
 * Checks that a callback comes from the gateway, is fresh and unchanged, and parses it.
 *
 * The shop then has to handle each `webhookId` once, compare `amount` and `currency` with its
 * order, release goods only when `status` is 2 (PAID), and answer HTTP 200 with `{"success": true}`
 * within ten seconds.
 *
 * @throws CallbackNotGenuineError with the `fault`; answer 401. TypeError for a caller's mistake: a
 *   parsed body, an invalid secret or number.
 */
export async function verifyCallback(input: CallbackInput): Promise<VerifiedCallback> {
  const { body, ...sent } = await verified(input);
  return { ...sent, invoice: parseInvoice(body) };
}

/**
 * Checks that an event that was sent to your address for events comes from the gateway, is fresh and
 * unchanged, and parses it. The signature and the secrets are those of callbacks.
 *
 * The shop then has to handle each `webhookId` once, and answer with any 2xx within ten seconds. Types
 * that it does not know may be added: they are answered likewise.
 *
 * @throws CallbackNotGenuineError with the `fault`; answer 401. TypeError for a caller's mistake: a
 *   parsed body, an invalid secret or number.
 */
export async function verifyEvent(input: CallbackInput): Promise<VerifiedEvent> {
  const { body, ...sent } = await verified(input);
  return { ...sent, event: parseEvent(body) };
}
