import { type Span, type SpanDescription, tracer } from '../lib/tracing.ts';
import { routeLabelsOf } from './routes.ts';
import type { KnownToken } from './token-cache.ts';
import type { RestRequest } from './types.ts';

/**
 * Answers a request in a span where traces are wanted, continuing the caller's trace. The span
 * names the endpoint and never the path, because an unknown path may hold anything.
 */
export function inRequestSpan<T>(
  request: RestRequest,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  const current = tracer();
  if (current === null) return work(null);
  const labels = routeLabelsOf(request.path);
  const description: SpanDescription = {
    name: labels === null ? request.method : `${request.method} ${labels.route}`,
    kind: 'server',
    header: (name) => request.header(name),
    attributes: {
      'http.request.method': request.method,
      'http.route': labels && `/api/{environment}${labels.route}`,
      'gateway.environment': labels?.environment,
    },
  };
  return current.run(description, work);
}

/** Adds the answer's status and its id in the log. */
export function describeAnswer(
  span: Span,
  { requestId, status, token }: { requestId: string; status: number; token: KnownToken | null },
): void {
  span.set({
    'http.response.status_code': status,
    'gateway.request_id': requestId,
    'gateway.merchant_id': token?.tenant.merchantId,
  });
  if (status >= 500) span.fail(String(status));
}
