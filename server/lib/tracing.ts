import { processWide } from './process-wide.ts';

// The gateway's own view of tracing. server/observability/start-tracing.ts puts OpenTelemetry
// behind it; a process without traces loads nothing and runs past one comparison.

/** Names and plain values, never a secret, a body or an address with a query. */
export type SpanAttributes = { readonly [name: string]: string | number | null | undefined };

export type SpanDescription = {
  name: string;
  /** `server` answers a caller, `client` calls another service; neither by default. */
  kind?: 'server' | 'client';
  attributes?: SpanAttributes;
  /** Reads the caller's headers by lower-case name, to continue its W3C trace. */
  header?: (name: string) => string | null;
};

/** A span that waits for work done for several spans at once. */
export type Waiter = { readonly isSpan: true };

/** A span under way. */
export type Span = {
  set(attributes: SpanAttributes): void;
  /** Marks it as failed. */
  fail(kind: string): void;
  /** Discards the span, because nothing worth sending happened. */
  drop(): void;
};

export type Tracer = {
  /** Runs work in a span, which ends with the work; a rejection marks it as failed. */
  run<T>(description: SpanDescription, work: (span: Span) => Promise<T>): Promise<T>;
  /**
   * The same for work on behalf of several spans: a span of its own, linked with theirs in both
   * directions. For a single span it becomes a child; without any there is no span.
   */
  runFor<T>(
    waiters: readonly (Waiter | null)[],
    description: SpanDescription,
    work: () => Promise<T>,
  ): Promise<T>;
  /** The span that is active now. */
  waiter(): Waiter | null;
  /** Sends the remaining spans, for at most `limitMs`. */
  stop(limitMs: number): Promise<void>;
};

const held = processWide<{ tracer: Tracer | null }>('tracer', () => ({ tracer: null }));

/** The tracer of this process, or null. */
export function tracer(): Tracer | null {
  return held.tracer;
}

/** Sets or removes the tracer. */
export function setTracer(made: Tracer | null): void {
  held.tracer = made;
}

/** Runs work in a span where there is a tracer, otherwise without one. */
export function traced<T>(
  describe: () => SpanDescription,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  const current = tracer();
  return current === null ? work(null) : current.run(describe(), work);
}
