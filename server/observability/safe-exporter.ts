import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';

/** Under which our own spans are made; what they say is chosen where they are made. */
export const OWN_SCOPE = 'payment-gateway';

// Next writes whole addresses into its spans (the token of an invitation among them) and messages
// of errors: of spans that are not ours only this is passed on.
const KNOWN_ATTRIBUTES = new Set([
  'error.type',
  'http.method',
  'http.route',
  'http.status_code',
  'next.page',
  'next.route',
  'next.rsc',
  'next.segment',
  'next.span_category',
  'next.span_type',
]);

/** `fetch GET https://host/path?query` keeps the host, everything else what stands before a query. */
function safeName(name: string): string {
  return name
    .replace(/(https?:\/\/)(?:[^\s/?#@]*@)?([^\s/?#]*)\S*/g, '$1$2')
    .replace(/[?#].*$/s, '');
}

function safeSpan(span: ReadableSpan): ReadableSpan {
  if (span.instrumentationScope.name === OWN_SCOPE) return span;
  const attributes = Object.fromEntries(
    Object.entries(span.attributes).filter(([name]) => KNOWN_ATTRIBUTES.has(name)),
  );
  // Its getters and methods stay the span's own.
  return Object.create(span, {
    name: { value: safeName(span.name) },
    attributes: { value: attributes },
    events: { value: [] },
    status: { value: { code: span.status.code } },
  }) as ReadableSpan;
}

/** An exporter that lets no more of others' spans out than is known to be harmless. */
export function safeExporter(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(safeSpan), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
