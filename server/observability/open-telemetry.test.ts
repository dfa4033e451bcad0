import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { coalescedInvoices } from '../invoices/merchant-invoices.ts';
import { setTracer, tracer } from '../lib/tracing.ts';
import { RestHandler } from '../rest/handler.ts';
import { parseTraceSettings } from '../settings/trace-settings.ts';
import { deliverOnce, openShop, type Shop, testContext } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createBody, createRestMerchant, type RestMerchant } from '../testing/rest.ts';
import {
  type CollectedSpan,
  type Collector,
  openCollector,
} from '../testing/telemetry/collector.ts';
import { createLogger } from './log.ts';
import { createTracer } from './open-telemetry.ts';
import { startTracing, stopTracing } from './start-tracing.ts';

// Everything that is traced, sent to a real receiver. The spans are read after the end: the batch
// delay is longer than the test, so that all of them come with the flush.

const LIMITS = { rateLimitPerSecond: 200, rateLimitBurst: 1000, failedAuthPerMinute: 300 };
const PRIVATE = 'what-only-the-merchant-knows';
const CALLERS_TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLERS_SPAN = '00f067aa0ba902b7';
const OTHERS_TRACE = '5bf92f3577b34da6a3ce929d0e0e4736';

let database: TestDatabase;
let merchant: RestMerchant;
let shop: Shop;
let collector: Collector;
let asProtobuf: Collector;
let handler: RestHandler;

async function call(path: string, body: object, headers: { [name: string]: string } = {}) {
  const all: { [name: string]: string } = {
    'content-type': 'application/json',
    ...merchant.sandbox,
    ...headers,
  };
  const answer = await handler.handle({
    method: 'POST',
    path: `/api/sandbox${path}`,
    query: new URLSearchParams(),
    header: (name) => all[name] ?? null,
    readBody: async () => Buffer.from(JSON.stringify(body)),
    remoteAddress: '192.0.2.1',
  });
  return JSON.parse(String(answer.body)).data?.invoice_id as string;
}

function invoice() {
  const merchant_data = { note: PRIVATE };
  return createBody({ callback_url: `${shop.url}?key=${PRIVATE}`, merchant_data });
}

/** Imitates Next's span for an address that holds a token. */
async function spanOfNext(): Promise<void> {
  await trace.getTracer('next.js').startActiveSpan('GET', async (span) => {
    span.setAttribute('http.target', `/dashboard/invitation/${PRIVATE}?x=${PRIVATE}`);
    span.setAttribute('http.route', '/dashboard/invitation/[token]');
    span.recordException(new Error(PRIVATE));
    span.setStatus({ code: SpanStatusCode.ERROR, message: PRIVATE });
    trace.getTracer('next.js').startSpan(`fetch GET https://u:${PRIVATE}@host/a/${PRIVATE}`).end();
    trace.getTracer('next.js').startSpan(`render /pay?${PRIVATE}`).end();
    span.end();
  });
}

async function everything(): Promise<void> {
  const traceparent = `00-${CALLERS_TRACE}-${CALLERS_SPAN}-01`;
  const first = await call('/invoice/create', invoice(), {
    traceparent,
    'x-request-id': 'trace-create',
  });
  await call('/test/invoice/pay', { invoice_id: first }, { 'x-request-id': 'trace-pay' });
  const delivery = testContext(database.pool);
  const now = new Date(Date.now() + 1_000);
  await deliverOnce(delivery, { now, limit: 10 });
  await delivery.sender.close();
  await Promise.all([1, 2, 3].map(() => call('/invoice/create', invoice())));
  await call(`/invoice/${PRIVATE}`, {});
  // A caller that does not want its own trace recorded is left alone.
  await call('/invoice/create', invoice(), {
    traceparent: `00-${OTHERS_TRACE}-${CALLERS_SPAN}-00`,
  });
  await spanOfNext();
}

async function everythingTo(receiver: Collector, start: () => unknown): Promise<void> {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', receiver.url);
  await start();
  await everything();
  expect(receiver.spans).toEqual([]);
  await stopTracing();
}

beforeAll(async () => {
  collector = await openCollector();
  asProtobuf = await openCollector();
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '600000');
  vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=test');
  database = await createTestDatabase();
  merchant = await createRestMerchant(database.pool);
  shop = await openShop();
  const invoices = coalescedInvoices(database.pool);
  const clock = () => new Date();
  const log = createLogger('silent');
  const rest = { db: database.pool, invoices, publicUrl: 'http://localhost:1', clock, log };
  handler = new RestHandler(rest, LIMITS, database.url);
  await handler.ready;
  // The settings are read once, so one process uses the default and another asks for JSON.
  await everythingTo(asProtobuf, () => startTracing('web'));
  await everythingTo(collector, () => setTracer(createTracer('http/json', 'web')));
});
afterAll(async () => {
  await handler.close();
  await shop.close();
  await database.drop();
  await collector.close();
  await asProtobuf.close();
  vi.unstubAllEnvs();
});

const named = (name: string): CollectedSpan[] =>
  collector.spans.filter((span) => span.name === name);
const byRequest = (id: string): CollectedSpan | undefined =>
  collector.spans.find((span) => span.kind === 2 && span.attributes['gateway.request_id'] === id);

describe('a request', () => {
  test('goes on with its caller’s trace and says what it was, not what was in it', () => {
    expect(byRequest('trace-create')).toMatchObject({
      name: 'POST /invoice/create',
      scope: 'payment-gateway',
      traceId: CALLERS_TRACE,
      parentSpanId: CALLERS_SPAN,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/{environment}/invoice/create',
        'http.response.status_code': 200,
        'gateway.environment': 'sandbox',
        'gateway.merchant_id': merchant.id,
      },
    });
    expect(collector.resource).toMatchObject({
      'service.name': 'payment-gateway',
      'gateway.process': 'web',
      'deployment.environment.name': 'test',
    });
  });

  test('has its statement as a part when it was alone', () => {
    const alone = named('statement create').find(({ traceId }) => traceId === CALLERS_TRACE);
    expect(alone).toMatchObject({
      parentSpanId: byRequest('trace-create')?.spanId,
      attributes: { 'gateway.rows': 1 },
    });
  });

  test('is linked with its statement, and that with it, when others shared it', () => {
    const shared = named('statement create').find((span) => span.attributes['gateway.rows'] === 3);
    expect(shared?.parentSpanId).toBeUndefined();
    const requests = shared?.links?.map(({ spanId }) =>
      collector.spans.find((span) => span.spanId === spanId),
    );
    expect(requests?.map((span) => span?.name)).toEqual(new Array(3).fill('POST /invoice/create'));
    for (const request of requests ?? []) {
      expect(request?.links).toMatchObject([{ traceId: shared?.traceId, spanId: shared?.spanId }]);
    }
  });

  test('that pays has the calls of the provider in its trace, with their outcomes', () => {
    const { traceId } = byRequest('trace-pay') ?? {};
    const calls = collector.spans.filter(
      (span) => span.traceId === traceId && span.name.startsWith('provider '),
    );
    expect(
      calls.map(({ name, attributes }) => [name, attributes['gateway.provider_state']]),
    ).toEqual([
      ['provider authorise', 'approved'],
      ['provider capture', 'captured'],
    ]);
  });

  test('is not traced where its caller’s trace is not kept', () => {
    expect(collector.spans.filter(({ traceId }) => traceId === OTHERS_TRACE)).toEqual([]);
    expect(named('statement create')).toHaveLength(2);
  });
});

test('an attempt carries the id of the request that it goes back to and its host alone', () => {
  const [attempt, ...more] = named('callback attempt');
  expect(more).toEqual([]);
  expect(attempt?.attributes).toMatchObject({
    'gateway.request_id': 'trace-pay',
    'server.address': '127.0.0.1',
    'http.response.status_code': 200,
    'gateway.attempt': 1,
    'gateway.outcome': 'delivered',
  });
  // The contract lists a callback's headers, and this is not one of them.
  expect(Object.keys(shop.received[0]?.headers ?? {})).not.toContain('traceparent');
});

test('spans of Next keep their route and lose addresses and messages', () => {
  const nexts = collector.spans.filter(({ scope }) => scope === 'next.js');
  expect(nexts.map(({ name }) => name).sort()).toEqual([
    'GET',
    'fetch GET https://host',
    'render /pay',
  ]);
  const [page] = nexts.filter(({ name }) => name === 'GET');
  expect(page).toMatchObject({
    attributes: { 'http.route': '/dashboard/invitation/[token]' },
    status: { code: 2 },
  });
  expect(page?.events ?? []).toEqual([]);
});

test('nothing that was sent holds a token, a card, a body or the rest of an address', () => {
  const text = Buffer.concat([...collector.bodies, ...asProtobuf.bodies]).toString();
  expect(text.length).toBeGreaterThan(1_000);
  const token = merchant.sandbox.authorization.slice('Bearer '.length);
  for (const secret of [PRIVATE, token, '4242424242424242', 'Two tickets'])
    expect(text).not.toContain(secret);
});

/** A span's content without the parts that differ each time; ids become their spans' names. */
function told({ spans }: Collector, span: CollectedSpan) {
  const nameOf = (id?: string) => spans.find(({ spanId }) => spanId === id)?.name ?? null;
  const { name, kind, scope, parentSpanId, links = [], events = [], status } = span;
  const isCallers = span.traceId === CALLERS_TRACE;
  const {
    'gateway.request_id': requestId,
    'gateway.invoice_id': _,
    ...attributes
  } = span.attributes;
  const given = String(requestId).startsWith('trace-') ? requestId : typeof requestId;
  const parent = parentSpanId === CALLERS_SPAN ? 'the caller’s' : nameOf(parentSpanId);
  const linked = links.map(({ spanId }) => nameOf(spanId));
  const rest = { isCallers, given, parent, linked, events: events.length, code: status?.code ?? 0 };
  return JSON.stringify([name, kind, scope, rest, Object.entries(attributes).sort()]);
}

test('the same spans come as Protobuf, which is what is sent unless JSON is asked for', () => {
  const all = (receiver: Collector) => receiver.spans.map((span) => told(receiver, span)).sort();
  expect([...asProtobuf.contentTypes]).toEqual(['application/x-protobuf']);
  expect([...collector.contentTypes]).toEqual(['application/json']);
  expect(collector.spans.length).toBeGreaterThan(10);
  expect(all(asProtobuf)).toEqual(all(collector));
  expect(asProtobuf.resource).toEqual(collector.resource);
});

test('after the end nothing is traced any more', () => {
  expect(tracer()).toBeNull();
  expect(trace.getSpan(context.active())).toBeUndefined();
});

describe('the settings', () => {
  const parse = (variables: { [name: string]: string }) =>
    parseTraceSettings((name) => variables[name]);
  const OTLP_ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' };

  test('nothing set traces nothing', () => expect(parse({})).toBeNull());
  test('an address switches traces on, as Protobuf unless JSON is asked for', () => {
    expect(parse(OTLP_ENDPOINT)).toBe('http/protobuf');
    expect(parse({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c/v1/traces' })).toBe(
      'http/protobuf',
    );
    expect(parse({ OTEL_TRACES_EXPORTER: 'otlp' })).toBe('http/protobuf');
    expect(parse({ ...OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' })).toBe('http/json');
  });
  test('they are switched off again as everywhere', () => {
    expect(parse({ ...OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' })).toBeNull();
    expect(parse({ OTEL_TRACES_EXPORTER: 'console', OTEL_SDK_DISABLED: 'true' })).toBeNull();
    expect(parse({ ...OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'none' })).toBeNull();
  });
  test('what cannot be done is refused by name', () => {
    const grpc = { ...OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
    expect(() => parse(grpc)).toThrow('OTEL_EXPORTER_OTLP_PROTOCOL must be "http/protobuf"');
    expect(() => parse({ OTEL_TRACES_EXPORTER: 'zipkin' })).toThrow('"otlp" or "none"');
    for (const name of ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']) {
      for (const address of ['collector:4318', 'collector', 'grpc://collector:4317', 'http://']) {
        expect(() => parse({ [name]: address })).toThrow(`${name} must be a URL like http://`);
      }
    }
  });
});
