import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';

/** The scope of our own spans; their attributes are chosen where they are made. */
export const OWN_SCOPE = 'payment-gateway';

// Next writes whole addresses (an invitation's token among them) and error messages into its spans.
// Only these attributes are passed on from spans that are not ours.
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

/** `fetch GET https://host/path?query` keeps the host; other names stop before their query. */
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
  // The getters and methods stay the span's own.
  return Object.create(span, {
    name: { value: safeName(span.name) },
    attributes: { value: attributes },
    events: { value: [] },
    status: { value: { code: span.status.code } },
  }) as ReadableSpan;
}

/** An exporter that strips others' spans of everything not known to be harmless. */
export function safeExporter(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(safeSpan), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
