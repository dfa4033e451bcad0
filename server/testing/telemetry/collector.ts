import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readOtlpProtobuf } from './otlp-protobuf.ts';
import type { OtlpSpan, OtlpTraces, OtlpValue } from './otlp-traces.ts';

/** A span as a collector receives it, its attributes by name. */
export type CollectedSpan = Omit<OtlpSpan, 'attributes'> & {
  scope: string;
  attributes: { [name: string]: string | number | undefined };
};

export type Collector = {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  spans: CollectedSpan[];
  /** The received bodies, unchanged. */
  bodies: Buffer[];
  contentTypes: Set<string>;
  resource: { [name: string]: string | number | undefined };
  close(): Promise<void>;
};

const plain = (list: { key: string; value: OtlpValue }[]) =>
  Object.fromEntries(
    list.map(({ key, value }) => {
      const { stringValue, intValue } = value;
      return [key, stringValue ?? (intValue === undefined ? undefined : Number(intValue))];
    }),
  );

const READERS: { [contentType: string]: (body: Buffer) => OtlpTraces } = {
  'application/json': (body) => JSON.parse(body.toString()),
  'application/x-protobuf': readOtlpProtobuf,
};

/** A receiver of OpenTelemetry traces, JSON or Protobuf over HTTP, on a free local port. */
export async function openCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const bodies: Buffer[] = [];
  const contentTypes = new Set<string>();
  const resource: Collector['resource'] = {};
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      bodies.push(body);
      const contentType = request.headers['content-type'] ?? '';
      contentTypes.add(contentType);
      const read = READERS[contentType];
      if (request.url === '/v1/traces' && read) {
        for (const one of read(body).resourceSpans) {
          Object.assign(resource, plain(one.resource.attributes));
          for (const { scope, spans: found } of one.scopeSpans) {
            for (const span of found) {
              spans.push({ ...span, scope: scope.name, attributes: plain(span.attributes) });
            }
          }
        }
      }
      // Everything was accepted: an empty message, which Protobuf writes as no bytes.
      response.writeHead(200).end(contentType === 'application/json' ? '{}' : '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    contentTypes,
    resource,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
