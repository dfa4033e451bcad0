import { createServer, type Server } from 'node:http';
import type { Settings } from './env.ts';
import { log } from './log.ts';
import { checkHealth } from './rest/health.ts';
import { metricsOfProcess } from './rest/metrics-door.ts';

type Answer = { status: number; headers: Record<string, string>; body: string };

const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

async function answerTo(
  request: { url: string; authorization: string | null; address: string },
  settings: Settings,
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
 * The worker's own door for what watches it: `/api/live`, `/api/health`, `/api/metrics`.
 * A port that is taken is told and nothing else: the jobs matter more.
 */
export function openWorkerDoor(port: number, settings: Settings): Server {
  const server = createServer((request, response) => {
    const authorization = request.headers.authorization ?? null;
    const address = request.socket.remoteAddress ?? '';
    answerTo({ url: request.url ?? '', authorization, address }, settings).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      (err: unknown) => {
        log().error({ err }, 'the worker’s door could not answer');
        response.writeHead(500).end();
      },
    );
  });
  server.on('error', (err) => log().error({ err, port }, 'the worker’s door stays shut'));
  server.listen(port, settings.host);
  return server;
}
