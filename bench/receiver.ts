import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// A merchant's server in a process of its own: reads the request, waits DELAY_MS,
// accepts. Tells its port over IPC and ends with its parent.
const delayMs = Number(process.env.DELAY_MS ?? 0);
const ANSWER = '{"success":true}';
const HEADERS = { 'content-type': 'application/json', 'content-length': String(ANSWER.length) };

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const answer = () => response.writeHead(200, HEADERS).end(ANSWER);
    if (delayMs > 0) setTimeout(answer, delayMs);
    else answer();
  });
});
server.keepAliveTimeout = 60_000;
// All of 127.0.0.0/8 is this machine on Linux: a hundred addresses are a hundred hosts.
server.listen(0, process.env.LISTEN ?? '127.0.0.1', () =>
  process.send?.((server.address() as AddressInfo).port),
);
process.on('disconnect', () => process.exit(0));
