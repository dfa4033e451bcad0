import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A stand-in's server, on this machine alone; what it fails to answer is cut off. */
export class LocalServer {
  private readonly server: Server;

  constructor(answer: Answer) {
    this.server = createServer((request, response) => {
      answer(request, response).catch(() => response.destroy());
    });
  }

  /** @throws where the port is taken; 0 is any that is free */
  async listen(port = 0): Promise<string> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
    return this.url;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }
}
