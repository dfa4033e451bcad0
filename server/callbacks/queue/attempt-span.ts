import type { Span, SpanDescription } from '../../lib/tracing.ts';
import { attemptOutcome } from '../outcome.ts';
import type { AttemptResult, ClaimedCallback } from '../types.ts';

/**
 * The span of an attempt. It carries the id of the callback's original request, so that it is found
 * from that request's trace. It names only the address's host: the rest may be a secret. The
 * merchant's server gets no header of it, because the contract lists none.
 */
export function attemptSpan(callback: ClaimedCallback): SpanDescription {
  const url = URL.canParse(callback.url) ? new URL(callback.url) : null;
  return {
    name: 'callback attempt',
    kind: 'client',
    attributes: {
      'http.request.method': 'POST',
      'server.address': url?.hostname,
      'gateway.request_id': callback.requestId,
      'gateway.merchant_id': callback.merchantId,
      'gateway.environment': callback.environment,
      'gateway.invoice_id': callback.invoiceId,
      'gateway.attempt': callback.attemptCount + 1,
    },
  };
}

/** Adds the attempt's outcome. */
export function describeAttempt(
  span: Span,
  callback: ClaimedCallback,
  result: AttemptResult,
): void {
  const { state, httpStatus, trigger } = result;
  span.set({
    'http.response.status_code': httpStatus,
    'gateway.trigger': trigger,
    'gateway.outcome': attemptOutcome(callback, result),
  });
  if (state === 'delivered') return;
  if (httpStatus === null) span.fail('no_answer');
  // A 200 that does not count has a wrong body.
  else span.fail(httpStatus === 200 ? 'refused_answer' : String(httpStatus));
}
