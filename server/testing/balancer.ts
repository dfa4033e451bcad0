import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Balancer = {
  origin: string;
  /** How many requests each upstream has answered, by its port. */
  answered: ReadonlyMap<number, number>;
  close(): Promise<void>;
};

function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => resolve(Buffer.concat(chunks)));
    incoming.on('error', reject);
  });
}

/** Passes one request on; false when nothing listens there, so that another may be asked. */
function passOn(
  {
    incoming,
    body,
    response,
  }: { incoming: IncomingMessage; body: Buffer; response: ServerResponse },
  port: number,
): Promise<'answered' | 'refused' | 'broken'> {
  return new Promise((resolve) => {
    const { method, url: path, headers } = incoming;
    // One connection for each request: a kept one to a killed process would fail half-way.
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent: false });
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on('end', () => resolve('answered'));
      answer.on('error', () => {
        response.destroy();
        resolve('broken');
      });
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'broken');
    });
    outgoing.end(body);
  });
}

/**
 * Stands in front of several webs: each request goes to the next one, or to another if nothing
 * listens there. A request that was cut off half-way gets 502 and is never sent again: only its
 * sender can find out whether it was carried out.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const answered = new Map<number, number>();
  let turn = 0;
  const server = createServer((incoming, response) => {
    const serve = async () => {
      const body = await bodyOf(incoming);
      turn += 1;
      const mine = turn;
      for (let i = 0; i < ports.length; i++) {
        const port = ports[(mine + i) % ports.length] ?? 0;
        const outcome = await passOn({ incoming, body, response }, port);
        if (outcome === 'answered') answered.set(port, (answered.get(port) ?? 0) + 1);
        if (outcome !== 'refused') break;
      }
      if (!response.headersSent) response.writeHead(502).end();
    };
    serve().catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answered,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
