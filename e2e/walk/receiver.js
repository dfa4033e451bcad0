// A merchant's server of the smallest kind, for the README's first payment:
//
//   node e2e/walk/receiver.js whsec_… [port]
//
// It checks the signature over the raw body, prints the callback, and answers as
// the contract wants it.
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const [secret, port = '4000'] = process.argv.slice(2);
if (!secret?.startsWith('whsec_')) {
  process.stderr.write('Give the signing secret that npm start shows: whsec_…\n');
  process.exit(1);
}
const webhook = new Webhook(secret);
const STATUS = { 2: 'PAID', 3: 'EXPIRED', 4: 'CANCELED' };

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  // The signature covers these bytes: parse them, but never sign a parsed body.
  const raw = Buffer.concat(chunks).toString('utf8');
  let success = false;
  try {
    const callback = webhook.verify(raw, request.headers);
    success = true;
    process.stdout.write(`signature good, ${STATUS[callback.status]}: ${raw}\n`);
  } catch (error) {
    process.stdout.write(`refused: ${error.message}\n`);
  }
  response.writeHead(success ? 200 : 401, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ success }));
});
server.listen(Number(port), () => {
  process.stdout.write(`listening on http://localhost:${port}/callback\n`);
});
