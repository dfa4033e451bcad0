import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type JsonValue = { stringValue?: string; intValue?: string | number };
type JsonSpan = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  attributes: { key: string; value: JsonValue }[];
  links?: { traceId: string; spanId: string }[];
  events?: unknown[];
  status?: { code?: number; message?: string };
};
type JsonTraces = {
  resourceSpans: {
    resource: { attributes: { key: string; value: JsonValue }[] };
    scopeSpans: { scope: { name: string }; spans: JsonSpan[] }[];
  }[];
};

/** A span as a collector gets it, its attributes by name. */
export type CollectedSpan = Omit<JsonSpan, 'attributes'> & {
  scope: string;
  attributes: { [name: string]: string | number | undefined };
};

export type Collector = {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  spans: CollectedSpan[];
  /** All that came, as it came. */
  bodies: Buffer[];
  resource: { [name: string]: string | number | undefined };
  close(): Promise<void>;
};

const plain = (list: { key: string; value: JsonValue }[]) =>
  Object.fromEntries(
    list.map(({ key, value }) => {
      const { stringValue, intValue } = value;
      return [key, stringValue ?? (intValue === undefined ? undefined : Number(intValue))];
    }),
  );

/** A receiver of OpenTelemetry's traces, as JSON over HTTP, on a free port of 127.0.0.1. */
export async function openCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const bodies: Buffer[] = [];
  const resource: Collector['resource'] = {};
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      bodies.push(body);
      if (request.url === '/v1/traces' && request.headers['content-type'] === 'application/json') {
        const sent = JSON.parse(body.toString()) as JsonTraces;
        for (const one of sent.resourceSpans) {
          Object.assign(resource, plain(one.resource.attributes));
          for (const { scope, spans: found } of one.scopeSpans) {
            for (const span of found) {
              spans.push({ ...span, scope: scope.name, attributes: plain(span.attributes) });
            }
          }
        }
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    resource,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
