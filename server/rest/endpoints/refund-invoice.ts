import { hash } from 'node:crypto';
import { GatewayError } from '../../lib/errors.ts';
import { findRefund } from '../../refunds/data.ts';
import { requestRefund } from '../../refunds/refund.ts';
import { type AnswerKey, keepFirstAnswer, readFirstAnswer } from '../../refunds/replays.ts';
import type { NewRefund } from '../../refunds/types.ts';
import { successEnvelope } from '../../wire/envelope.ts';
import { parseRefundRequest } from '../../wire/refund-requests.ts';
import { refundText } from '../../wire/refund-responses.ts';
import { INVOICE_NOT_FOUND, invalid, refusedRefund } from '../answers.ts';
import { KEY_REUSED, parseIdempotencyKey } from '../idempotency.ts';
import type { Answer, AuthenticatedRequest, Endpoint, RestContext } from '../types.ts';
import { canExist } from './named-invoice.ts';

/**
 * The hash that tells a refund's values from others' under its key, of a create as well. It is stored
 * for 24 hours and read by other versions, so the order of the values must not change.
 */
function hashOf({ invoiceId, refundTransactionId, amountMinor, reason }: NewRefund): Buffer {
  const amount = amountMinor === null ? null : Number(amountMinor);
  const values = ['refund', invoiceId, refundTransactionId, amount, reason];
  return hash('sha256', JSON.stringify(values), 'buffer');
}

/** The first answer under the key, whose status stands in the envelope. */
function replay(body: Buffer): Answer {
  const { error } = JSON.parse(String(body)) as { error: { error_code: number } | null };
  return { status: error?.error_code ?? 200, body };
}

async function answerAgain(
  { db }: RestContext,
  { tenant }: AuthenticatedRequest,
  key: AnswerKey,
): Promise<Answer> {
  const first = await readFirstAnswer(db, tenant, key);
  if (first === 'key_reused') return invalid([KEY_REUSED]);
  if (Buffer.isBuffer(first)) return replay(first);
  const refund = await findRefund(db, first.refundId);
  if (!refund) throw new Error(`${first.refundId} is gone`);
  const body = Buffer.from(successEnvelope(refundText(refund)));
  return { status: 200, body: await keepFirstAnswer(db, tenant, key, body) };
}

async function refund(
  context: RestContext,
  request: AuthenticatedRequest,
  wanted: NewRefund,
  key: AnswerKey | null,
): Promise<Answer> {
  const { db, clock } = context;
  const { tenant, tokenId, requestId } = request;
  const actor = { type: 'api', id: tokenId, requestId } as const;
  const begun = await requestRefund(db, tenant, wanted, { actor, audit: null, key, clock });
  if ('isRepeat' in begun) return key ? answerAgain(context, request, key) : INVOICE_NOT_FOUND;
  if ('refusal' in begun) return refusedRefund(begun.refusal);
  const body = Buffer.from(successEnvelope(refundText(begun.refund)));
  return { status: 200, body: key ? await keepFirstAnswer(db, tenant, key, body) : body };
}

async function handle(context: RestContext, request: AuthenticatedRequest): Promise<Answer> {
  const idempotency = parseIdempotencyKey(request.header('idempotency-key'));
  const parsed = parseRefundRequest(request.body, request.header('content-type'));
  if (!idempotency.ok || !parsed.ok) {
    return invalid([
      ...(idempotency.ok ? [] : idempotency.detail),
      ...(parsed.ok ? [] : parsed.detail),
    ]);
  }
  const { value } = parsed;
  if (!canExist(value.invoiceId)) return INVOICE_NOT_FOUND;
  const { key } = idempotency;
  const refusalBody = (error: GatewayError) => Buffer.from(refusedRefund(error).body);
  const answerKey = key === null ? null : { key, valuesHash: hashOf(value), refusalBody };
  try {
    return await refund(context, request, value, answerKey);
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'invoice_not_found') {
      return INVOICE_NOT_FOUND;
    }
    throw error;
  }
}

/** `POST /invoice/refund`. */
export const refundInvoiceEndpoint: Endpoint = { method: 'POST', scope: 'refunds.write', handle };
