// The parts of OpenTelemetry's traces that the tests read, with the names of its JSON.

/** A value in OpenTelemetry's JSON; our attributes are words and whole numbers. */
export type OtlpValue = { stringValue?: string; intValue?: string | number };
export type OtlpSpan = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  attributes: { key: string; value: OtlpValue }[];
  links?: { traceId: string; spanId: string }[];
  events?: unknown[];
  status?: { code?: number; message?: string };
};
export type OtlpTraces = {
  resourceSpans: {
    resource: { attributes: { key: string; value: OtlpValue }[] };
    scopeSpans: { scope: { name: string }; spans: OtlpSpan[] }[];
  }[];
};
