import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, inject, test } from 'vitest';

const [ours] = inject('doors');
const { port, hostname } = new URL(ours?.origin ?? '');

/** All that comes back for a request whose sender closes their side after it. */
async function answerTo(line: string, headers: string[] = []): Promise<string> {
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  let text = '';
  socket.setEncoding('utf8').on('data', (data: string) => {
    text += data;
  });
  socket.end([`${line} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n'));
  await once(socket, 'end');
  socket.destroy();
  return text;
}

async function expectEnvelope(line: string, status: number): Promise<void> {
  const [head = '', body = ''] = (await answerTo(line)).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(head).toMatch(/\r\nx-request-id: /i);
  expect(JSON.parse(body)).toMatchObject({ error: { error_code: status } });
}

const STATUS = '/api/sandbox/invoice/status?invoice_id=x';

test.each([
  ['GET *', 400],
  ['OPTIONS *', 400],
  ['CONNECT shop.example:443', 405],
  ['TRACE /', 405],
  ['TRACE /pay/none', 405],
  ['TRACE /api/health', 405],
  ['TRACE /api/sandbox/invoice/status', 405],
  [`GET ${STATUS}`, 401],
  [`GET http://shop.example${STATUS}`, 401],
  // Next would send these on to the path without the slash too many.
  [`GET /${STATUS}`, 404],
  [`GET /\\${STATUS.slice(1)}`, 404],
  // Next knows nothing there, and would say so by a page.
  ['POST /API/sandbox/invoice/create', 404],
  ['GET /Api/health', 404],
  // Beside other things of ours, and of no environment.
  ['POST /api/auth/invoice/create', 404],
  ['POST /api/trpc/invoice/create', 404],
  ['GET /api/logo/invoice/status', 404],
  ['PURGE /api/staging/invoice/create', 404],
])('%s is answered %i in the envelope', (line, status) => expectEnvelope(line, status));

test.each([
  [STATUS, 401],
  ['/api/sandbox/invoice/status/?', 404],
  ['/api/staging/invoice/status?', 404],
])('%s and more than the address of a page may have: %i in the envelope', (path, status) =>
  expectEnvelope(`GET ${path}${'x'.repeat(8_200)}`, status),
);

test('a page is shown to who names its origin, and to who closes their side', async () => {
  expect(await answerTo('GET http://shop.example/pay/none')).toMatch(/^HTTP\/1\.1 404 /);
});

// Next listens for upgrades on the server of the first page that it is asked for, and ends them.
test('who would rather speak HTTP/2 is answered as everybody, after a page as well', async () => {
  expect(await answerTo('GET /pay/none')).toMatch(/^HTTP\/1\.1 404 /);
  const upgrade = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMA'];
  const [head, body = ''] = (await answerTo(`GET ${STATUS}`, upgrade)).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 401 /);
  expect(JSON.parse(body)).toMatchObject({ error: { error_code: 401 } });
});

test.each([
  ['/pay/none', 413],
  ['/dashboard/sign-in?x', 413],
  ['/api/../pay/none', 413],
  // The dashboard's own calls have limits of their own.
  ['/api/trpc/sandbox/paymentLinks.create', 403],
])(
  'a form for %s that says it has more than 1 MiB is answered %i before it comes',
  async (path, status) => {
    const socket = connect({ port: Number(port), host: hostname });
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x`;
    socket.write(`${head}\r\nContent-Length: 1048577\r\n\r\n`);
    const [answer] = await once(socket.setEncoding('utf8'), 'data');
    socket.destroy();
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  },
);

test.each([
  ['/api/', 400],
  ['/api/.', 400],
  ['/icon.svgx', 400],
])('a broken form for %s, where there is nothing, is answered %i', async (path, status) => {
  const socket = connect({ port: Number(port), host: hostname });
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x`;
  socket.write(`${head}\r\nContent-Length: 5\r\n\r\nabcde`);
  const [answer] = await once(socket.setEncoding('utf8'), 'data');
  socket.destroy();
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});
