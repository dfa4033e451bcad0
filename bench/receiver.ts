import { type AddressInfo, createServer } from 'node:net';
import { messageLength } from './message-length.ts';

// A merchant's server in its own process: reads the request, waits DELAY_MS, accepts. Reports its
// port over IPC and ends with its parent.
//
// Merchants' servers run on their own machines. Here every cycle of this one is taken from the
// gateway, PostgreSQL or plain undici, so it uses few: it sends the same bytes as node:http with a
// `keepAliveTimeout` of a minute, for half of the processor time.
const delayMs = Number(process.env.DELAY_MS ?? 0);
const BODY = '{"success":true}';
const ANSWER = Buffer.from(
  [
    'HTTP/1.1 200 OK',
    'content-type: application/json',
    `content-length: ${BODY.length}`,
    `Date: ${new Date().toUTCString()}`,
    'Connection: keep-alive',
    'Keep-Alive: timeout=60',
    '',
    BODY,
  ].join('\r\n'),
);

const server = createServer({ noDelay: true }, (socket) => {
  const answer = () => socket.write(ANSWER);
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (data: Buffer) => {
    rest = rest.length === 0 ? data : Buffer.concat([rest, data]);
    for (let length = messageLength(rest); length !== null; length = messageLength(rest)) {
      rest = rest.subarray(length);
      if (delayMs > 0) setTimeout(answer, delayMs);
      else answer();
    }
  });
  socket.on('error', () => socket.destroy());
});
// All of 127.0.0.0/8 is this machine on Linux, so a hundred addresses are a hundred hosts.
server.listen(0, process.env.LISTEN ?? '127.0.0.1', () =>
  process.send?.((server.address() as AddressInfo).port),
);
process.on('disconnect', () => process.exit(0));
