import { findFirst, type RepeatOutcome } from '../../invoices/create.ts';
import type { NewInvoice } from '../../invoices/types.ts';
import { newId } from '../../lib/ids.ts';
import { parseCreateRequest } from '../../wire/create-request.ts';
import { successEnvelope } from '../../wire/envelope.ts';
import { createdInvoiceText } from '../../wire/invoice-responses.ts';
import type { ValidationItem } from '../../wire/validation.ts';
import { DUPLICATE, invalid } from '../answers.ts';
import { hashesOf, KEY_REUSED, parseIdempotencyKey } from '../idempotency.ts';
import type { Answer, AuthenticatedRequest, Endpoint, RestContext } from '../types.ts';

function repeated(result: RepeatOutcome): Answer {
  switch (result.outcome) {
    case 'replayed':
      return { status: 200, body: result.responseBody };
    case 'duplicate':
      return DUPLICATE;
    case 'key_reused':
      return invalid([KEY_REUSED]);
  }
}

/** A body with a past end date: 422, unless its key still has a stored first answer. */
async function answerPastEndDate(
  context: RestContext,
  { tenant, body, now }: AuthenticatedRequest,
  { key, invoice, detail }: { key: string; invoice: NewInvoice; detail: ValidationItem[] },
): Promise<Answer> {
  const hashes = hashesOf(body, invoice);
  const first = await findFirst(context.db, tenant, { key, hashes, now });
  if (first?.outcome === 'key_reused') return invalid([KEY_REUSED, ...detail]);
  return first === null ? invalid(detail) : repeated(first);
}

async function handle(context: RestContext, request: AuthenticatedRequest): Promise<Answer> {
  const { tenant, requestId, body, now } = request;
  const idempotency = parseIdempotencyKey(request.header('idempotency-key'));
  const parsed = parseCreateRequest(body, request.header('content-type'), now.getTime());
  if (!parsed.ok) {
    if (!idempotency.ok) return invalid([...idempotency.detail, ...parsed.detail]);
    const { detail, pastInvoice: invoice } = parsed;
    return invoice !== null && idempotency.key !== null
      ? answerPastEndDate(context, request, { key: idempotency.key, invoice, detail })
      : invalid(detail);
  }
  if (!idempotency.ok) return invalid(idempotency.detail);

  // The answer is written before the insert, so that the same statement can store its bytes.
  const createdAtMs = now.getTime();
  const id = newId('inv', createdAtMs);
  const url = `${context.publicUrl}/pay/${id}`;
  const answer = successEnvelope(
    createdInvoiceText({ id, url, createdAtMs, invoice: parsed.value }),
  );
  const stored =
    idempotency.key === null
      ? null
      : {
          key: idempotency.key,
          ...hashesOf(body, parsed.value),
          responseBody: Buffer.from(answer),
        };
  const result = await context.invoices.create(tenant, {
    id,
    createdAt: now,
    requestId,
    invoice: parsed.value,
    idempotency: stored,
  });
  return result.outcome === 'created' ? { status: 200, body: answer } : repeated(result);
}

/** `POST /invoice/create` (contract, "Endpoints"). */
export const createInvoiceEndpoint: Endpoint = { method: 'POST', scope: 'invoices.write', handle };
