import { z } from 'zod';
import type { SendFailure } from '../callbacks/types.ts';
import { httpUrl, requiredId, text } from './fields.ts';

// The messages between `gateway listen` and the sandbox, outside the merchant's contract.

const STEPS = ['start', 'go_on', 'stop'] as const;
const FAILURES = [
  'connection_refused',
  'unreachable',
  'connection_closed',
  'name_not_found',
  'tls',
  'timeout',
  'too_large',
  'malformed_answer',
  'other',
] as const satisfies readonly SendFailure[];

const ANSWER_MAX_BYTES = 64 * 1024;
/** Base 64 writes three bytes as four characters. */
const ANSWER_MAX_CHARACTERS = Math.ceil(ANSWER_MAX_BYTES / 3) * 4;
const HEADER_MAX_CHARACTERS = 2_048;
const MOST_MS = 60_000;

export const listenRequest = z
  .object({
    listener_id: text(1, 64).meta({ description: 'The listener’s own id, which it makes up' }),
    step: z.enum(STEPS).meta({
      description:
        '`start` takes over from another listener; then `go_on`, each time after the answer; `stop` ends it',
    }),
  })
  .meta({ id: 'ListenRequest' });

const forward = z
  .object({
    forward_id: z.string().meta({ description: 'The answer names it' }),
    invoice_id: z.string(),
    attempt: z.int().positive().meta({ description: '1 for the first' }),
    url: httpUrl.meta({ description: 'Where it would go without a listener' }),
    headers: z
      .array(z.object({ name: z.string(), value: z.string() }))
      .meta({ description: 'The headers as the gateway sends them, signature included' }),
    body: z.string().meta({ description: 'The exact text that is signed' }),
  })
  .meta({ id: 'ForwardedCallback' });

export const listenAnswer = z
  .object({
    listening_until: z.int().meta({
      description:
        'UTC, milliseconds; after this, unless it asks again, callbacks go to their own addresses',
    }),
    callbacks: z.array(forward),
  })
  .meta({ id: 'ListenAnswer' });

export const forwardAnswerRequest = z
  .object({
    forward_id: requiredId,
    duration_ms: z.int().positive().max(MOST_MS),
    http_status: z
      .int()
      .positive()
      .max(999)
      .nullish()
      .meta({ description: 'The status of the answer; omitted if there was none' }),
    body_base64: text(0, ANSWER_MAX_CHARACTERS)
      .nullish()
      .meta({ description: 'The bytes of the answer, at most 64 KiB' }),
    failure: z.enum(FAILURES).nullish().meta({ description: 'Why there is no complete answer' }),
    retry_after: text(0, HEADER_MAX_CHARACTERS)
      .nullish()
      .meta({ description: 'The header Retry-After of the answer' }),
    location: text(0, HEADER_MAX_CHARACTERS)
      .nullish()
      .meta({ description: 'The header Location of the answer' }),
  })
  .meta({ id: 'ForwardAnswerRequest' });

export const verdict = z
  .object({
    attempt: z.int().positive(),
    delivered: z.boolean(),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why it was not delivered, in plain words; null if it was' }),
    next_attempt_in_ms: z.int().nullable().meta({
      description:
        'The scheduled wait, to which a little may be added; null if no attempt will follow',
    }),
  })
  .meta({ id: 'CallbackVerdict' });

export const resendAnswer = z.object({ invoice_id: z.string() }).meta({ id: 'ResendAnswer' });
