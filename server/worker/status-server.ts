import { createServer } from 'node:http';
import { log } from '../observability/log.ts';
import { metricsOfProcess } from '../observability/metrics-endpoint.ts';
import { checkHealth } from '../rest/endpoints/health.ts';
import type { Settings } from '../settings/settings.ts';

type StatusSettings = Pick<Settings, 'host' | 'metricsToken' | 'publicUrl'>;
type Answer = { status: number; headers: Record<string, string>; body: string };

const TRY_AGAIN_MS = 5_000;
const STAYS_SHUT =
  'nothing can be asked at METRICS_PORT: the worker works on, and tries again to listen there';
const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

async function answerTo(
  request: { url: string; authorization: string | null; address: string },
  settings: StatusSettings,
): Promise<Answer> {
  switch (request.url) {
    case '/api/live':
      return { status: 200, headers: JSON_HEADERS, body: '{"status":"ok"}' };
    case '/api/health': {
      const health = await checkHealth();
      const status = health.status === 'ok' ? 200 : 503;
      return { status, headers: JSON_HEADERS, body: JSON.stringify(health) };
    }
    case '/api/metrics':
      return metricsOfProcess(request, settings);
    default:
      return { status: 404, headers: {}, body: 'Not found' };
  }
}

/**
 * Starts the worker's server for monitoring: `/api/live`, `/api/health`, `/api/metrics`. A port in
 * use is only logged and tried again: the jobs matter more.
 */
export function startStatusServer(
  port: number,
  settings: StatusSettings,
  tryAgainMs = TRY_AGAIN_MS,
): { close(): void } {
  const server = createServer((request, response) => {
    const authorization = request.headers.authorization ?? null;
    const address = request.socket.remoteAddress ?? '';
    answerTo({ url: request.url ?? '', authorization, address }, settings).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      (err: unknown) => {
        log().error({ err }, 'a request at METRICS_PORT could not be answered');
        response.writeHead(500).end();
      },
    );
  });
  let waiting: NodeJS.Timeout | null = null;
  const listen = () => server.listen(port, settings.host);
  server.on('error', (err) => {
    if (server.listening)
      return log().error({ err, port }, 'a request for METRICS_PORT was refused');
    if (waiting === null) log().error({ err, port }, STAYS_SHUT);
    waiting = setTimeout(listen, tryAgainMs).unref();
  });
  server.on('listening', () => {
    if (waiting !== null) log().warn({ port }, 'METRICS_PORT is listened on now');
    waiting = null;
  });
  listen();
  return {
    close: () => {
      clearTimeout(waiting ?? undefined);
      server.close();
    },
  };
}
