import { processWide } from './process-wide.ts';

// What the rest of the gateway knows of tracing. Nothing is behind it until server/observability/start-tracing.ts puts
// OpenTelemetry there, so that a process without it loads nothing and runs past one comparison.

/** Names and plain values. No secret, no body and no address with a query is ever among them. */
export type SpanAttributes = { readonly [name: string]: string | number | null | undefined };

export type SpanDescription = {
  name: string;
  /** `server` answers somebody, `client` asks somebody else; neither if left out. */
  kind?: 'server' | 'client';
  attributes?: SpanAttributes;
  /** Headers of a caller by lower-case name, whose W3C trace is gone on with. */
  header?: (name: string) => string | null;
};

/** A span of somebody who waits for work that is done for several at once. */
export type Waiter = { readonly isSpan: true };

/** A span under way. */
export type Span = {
  set(attributes: SpanAttributes): void;
  /** Marks it as failed. */
  fail(kind: string): void;
  /** It turned out to be nothing: it is not sent. */
  drop(): void;
};

export type Tracer = {
  /** Runs work in a span, which ends when the work does; a rejection is its failure. */
  run<T>(description: SpanDescription, work: (span: Span) => Promise<T>): Promise<T>;
  /**
   * The same for work on behalf of several: a span of its own, linked with theirs in both
   * directions. For one alone it is a part of that one's; without any there is no span.
   */
  runFor<T>(
    waiters: readonly (Waiter | null)[],
    description: SpanDescription,
    work: () => Promise<T>,
  ): Promise<T>;
  /** Of whoever runs now. */
  waiter(): Waiter | null;
  /** Sends what is left, for as long as `limitMs`. */
  stop(limitMs: number): Promise<void>;
};

const held = processWide<{ tracer: Tracer | null }>('tracer', () => ({ tracer: null }));

/** The tracer of this process; null without one. */
export function tracer(): Tracer | null {
  return held.tracer;
}

/** Puts a tracer in place, or takes it away. */
export function setTracer(made: Tracer | null): void {
  held.tracer = made;
}

/** Runs work in a span where there is a tracer, else the work alone. */
export function traced<T>(
  describe: () => SpanDescription,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  const current = tracer();
  return current === null ? work(null) : current.run(describe(), work);
}
