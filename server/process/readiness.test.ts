import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { waitUntilHealthy } from './readiness.ts';

it('a start that is ended while it waits is none, also where an answer is under way', async () => {
  const ending = new AbortController();
  const server = createServer((_request, response) => {
    ending.abort();
    setTimeout(() => response.end(), 50);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { signal } = ending;
  const options = { withinMs: 60_000, signal, isHopeless: () => false };
  await expect(waitUntilHealthy(`http://127.0.0.1:${port}`, options)).rejects.toThrow('aborted');
});

it('a start that takes long tells why, and once for each reason', async () => {
  const answers = ['a', 'a', 'b', 'b'].map((reason) => `{"reason":"${reason}"}`);
  const server = createServer((_request, response) => {
    const reason = answers.shift();
    response.writeHead(reason ? 503 : 200).end(reason);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const told: string[] = [];
  await waitUntilHealthy(`http://127.0.0.1:${port}`, {
    withinMs: 60_000,
    tell: (last) => told.push(last),
    tellAfterMs: 0,
    signal: new AbortController().signal,
    isHopeless: () => false,
  });
  expect(told).toEqual(['503 {"reason":"a"}', '503 {"reason":"b"}']);
});
