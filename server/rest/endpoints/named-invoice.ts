import type { z } from 'zod';
import { parseBody } from '../../wire/invoice-requests.ts';
import { INVOICE_NOT_FOUND, invalid } from '../answers.ts';
import type { Answer, AuthenticatedRequest } from '../types.ts';

// Our ids and a merchant's (at most 255 characters) are shorter. PostgreSQL's text cannot hold a
// NUL, so no name contains one.
const MAX_NAME_LENGTH = 512;

/** Whether anything can have this name at all; if not, the database need not be asked. */
export function canExist(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && !name.includes('\0');
}

/** Reads a body that names an invoice, or answers 422, or 404 for an impossible name. */
export function parseNamedInvoice<T extends { invoice_id: string }>(
  schema: z.ZodType<T>,
  request: AuthenticatedRequest,
): { ok: true; value: T } | { ok: false; answer: Answer } {
  const parsed = parseBody(schema, request.body, request.header('content-type'));
  if (!parsed.ok) return { ok: false, answer: invalid(parsed.detail) };
  return canExist(parsed.value.invoice_id) ? parsed : { ok: false, answer: INVOICE_NOT_FOUND };
}
