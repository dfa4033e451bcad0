import * as api from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import type { Span, SpanAttributes, SpanDescription, Tracer, Waiter } from '../lib/tracing.ts';
import type { TraceSettings } from '../settings/trace-settings.ts';
import { log } from './log.ts';
import { OWN_SCOPE, safeExporter } from './safe-exporter.ts';

const KINDS = { server: api.SpanKind.SERVER, client: api.SpanKind.CLIENT };
const COMPLAIN_EVERY_MS = 60_000;
const COMPLAINT_CHARACTERS = 300;

const HEADERS: api.TextMapGetter<NonNullable<SpanDescription['header']>> = {
  get: (header, name) => header(name) ?? undefined,
  keys: () => ['traceparent', 'tracestate'],
};

function known(attributes: SpanAttributes = {}): api.Attributes {
  const entries = Object.entries(attributes).map(([name, value]) => [name, value ?? undefined]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function failed(span: api.Span, kind: string): void {
  span.setAttribute('error.type', kind);
  span.setStatus({ code: api.SpanStatusCode.ERROR });
}

/** An unreachable collector would otherwise fill the log. */
function complainSeldom(): void {
  let nextMs = 0;
  const complain = (...parts: unknown[]) => {
    if (performance.now() < nextMs) return;
    nextMs = performance.now() + COMPLAIN_EVERY_MS;
    // The first part names the complaining component, and only the next ones say what is wrong.
    const detail = parts
      .map((part) => (part instanceof Error ? part.message : part))
      .filter((part) => typeof part === 'string')
      .join(' ');
    log().warn({ detail: detail.slice(0, COMPLAINT_CHARACTERS) }, 'traces cannot be sent as set');
  };
  const silent = () => undefined;
  const logger = { error: complain, warn: complain, info: silent, debug: silent, verbose: silent };
  api.diag.setLogger(logger, api.DiagLogLevel.WARN);
}

class OpenTelemetryTracer implements Tracer {
  private readonly provider: BasicTracerProvider;
  private readonly own: api.Tracer;
  /** The tracer for shared work: it is sampled if one of its callers' spans is. */
  private readonly always: api.Tracer;

  constructor(provider: BasicTracerProvider, always: BasicTracerProvider) {
    this.provider = provider;
    this.own = provider.getTracer(OWN_SCOPE);
    this.always = always.getTracer(OWN_SCOPE);
  }

  run<T>(description: SpanDescription, work: (span: Span) => Promise<T>): Promise<T> {
    const active = api.context.active();
    const { header, kind } = description;
    // Next's own span has already read the caller's headers.
    const isOutermost = api.trace.getSpan(active) === undefined;
    const parent =
      header && isOutermost ? api.propagation.extract(active, header, HEADERS) : active;
    const options = {
      kind: kind && KINDS[kind],
      attributes: known(description.attributes),
    };
    return this.within(parent, this.own.startSpan(description.name, options, parent), work);
  }

  async runFor<T>(
    waiters: readonly (Waiter | null)[],
    description: SpanDescription,
    work: () => Promise<T>,
  ): Promise<T> {
    const spans = waiters.filter((waiter) => waiter !== null) as unknown as api.Span[];
    const kept = spans.filter((span) => span.isRecording());
    const [first] = kept;
    if (first === undefined) return await work();
    const options = {
      kind: api.SpanKind.CLIENT,
      attributes: known(description.attributes),
    };
    // The event-loop turn belongs to an arbitrary caller and says nothing about the work's callers.
    const outside = api.trace.deleteSpan(api.context.active());
    if (waiters.length === 1) {
      const parent = api.trace.setSpan(outside, first);
      return await this.within(parent, this.own.startSpan(description.name, options, parent), work);
    }
    const links = kept.map((span) => ({ context: span.spanContext() }));
    const span = this.always.startSpan(description.name, { ...options, links }, outside);
    for (const one of kept) one.addLink({ context: span.spanContext() });
    return await this.within(outside, span, work);
  }

  waiter(): Waiter | null {
    return (api.trace.getActiveSpan() ?? null) as unknown as Waiter | null;
  }

  async stop(limitMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs);
    });
    await Promise.race([this.provider.shutdown().catch(() => undefined), late]);
    clearTimeout(timer);
    api.trace.disable();
    api.context.disable();
    api.propagation.disable();
    api.diag.disable();
  }

  private within<T>(
    parent: api.Context,
    span: api.Span,
    work: (span: Span) => Promise<T>,
  ): Promise<T> {
    let isDropped = false;
    const ours: Span = {
      set: (attributes) => span.setAttributes(known(attributes)),
      fail: (kind) => failed(span, kind),
      drop: () => {
        isDropped = true;
      },
    };
    return api.context.with(api.trace.setSpan(parent, span), async () => {
      try {
        return await work(ours);
      } catch (error) {
        // The message is never recorded, because it may quote the request.
        failed(span, error instanceof Error ? error.name : 'unknown');
        throw error;
      } finally {
        // A span that does not end is forgotten.
        if (!isDropped) span.end();
      }
    });
  }
}

/** Makes OpenTelemetry, configured by its own variables, the tracer of this process and of Next. */
export function createTracer(
  protocol: NonNullable<TraceSettings>,
  processKind: 'web' | 'worker',
): Tracer {
  complainSeldom();
  const exporter = protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter();
  const processor = new BatchSpanProcessor(safeExporter(exporter));
  const ours = { 'service.name': OWN_SCOPE, 'gateway.process': processKind };
  const resource = defaultResource()
    .merge(resourceFromAttributes(ours))
    .merge(detectResources({ detectors: [envDetector] }));
  const shared = { resource, spanProcessors: [processor] };
  const provider = new BasicTracerProvider(shared);
  const always = new BasicTracerProvider({ ...shared, sampler: new AlwaysOnSampler() });
  api.trace.setGlobalTracerProvider(provider);
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  api.propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return new OpenTelemetryTracer(provider, always);
}
