import { Agent, request } from 'node:http';

export type OneConnection = {
  /**
   * Posts this many bytes, with their length or in chunks.
   *
   * @returns the status, and our local port of the connection: the same as long as it lives
   */
  post(url: string, bytes: number, options?: { inChunks?: boolean }): Promise<[number, number]>;
  close(): void;
};

/** A client that queues its requests on one connection, and never leaves a body unsent. */
export function openConnection(): OneConnection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    post: (url, bytes, { inChunks = false } = {}) =>
      new Promise((resolve, reject) => {
        const headers = inChunks ? {} : { 'content-length': bytes };
        const sent = request(url, { agent, method: 'POST', headers }, (answer) => {
          const { localPort = 0 } = answer.socket;
          answer.resume().once('end', () => resolve([answer.statusCode ?? 0, localPort]));
        });
        sent.once('error', reject);
        sent.write(Buffer.alloc(bytes, 'x'));
        sent.end();
      }),
    close: () => agent.destroy(),
  };
}
